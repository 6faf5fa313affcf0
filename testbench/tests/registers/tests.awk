# "unit SUITE.NAME" of every test whose text matches `pattern`; once.
/^TEST(_P|_F)?\(/ {
  test = $0
  while (test !~ /\)/ && (getline line) > 0) test = test line # a long name stands on two lines
  sub(/^[^(]*\( */, "", test)
  sub(/\).*/, "", test)
  sub(/, */, ".", test)
}
test != "" && !(test in said) && $0 ~ pattern {
  print "unit " test
  said[test] = 1
}
/^}/ { test = "" }
