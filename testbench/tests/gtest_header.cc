// Nothing: the header of GoogleTest is compiled with it, once for all tests.
