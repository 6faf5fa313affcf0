# LLVM 14, and C as its bitcode.
find_program(LLVM_CONFIG llvm-config-14 REQUIRED)
foreach(what includedir libdir bindir)
  execute_process(
    COMMAND ${LLVM_CONFIG} --${what}
    OUTPUT_VARIABLE engine_llvm_${what}
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endforeach()
execute_process(
  COMMAND ${LLVM_CONFIG} --link-shared --libs core bitreader
  OUTPUT_VARIABLE engine_llvm_libraries
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
# The function is called from other folders.
set(engine_llvm_bindir ${engine_llvm_bindir} CACHE INTERNAL "")

# add_bitcode(OUT COMMAND SOURCE...): the sources as one module of bitcode, OUT. COMMAND, a list that begins
# with a script, is run with SOURCE, MODULE and options of clang's at its end, as bitcode.sh takes them.
function(add_bitcode out command)
  set(bitcode_sh ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/bitcode.sh)
  list(GET command 0 script)
  string(REGEX REPLACE "\\.bc$" "" folder ${out})
  set(modules)
  foreach(source ${ARGN})
    get_filename_component(base ${source} NAME_WE)
    set(module ${folder}/${base}.bc)
    add_custom_command(
      OUTPUT ${module}
      COMMAND ${command} ${source} ${module} -MD -MF ${module}.d -MT ${module}
      DEPENDS ${source} ${script} ${bitcode_sh} ${engine_llvm_bindir}/clang
      DEPFILE ${module}.d
      COMMENT "Bitcode of ${base}.c for ${out}"
      VERBATIM)
    list(APPEND modules ${module})
  endforeach()
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${engine_llvm_bindir}/llvm-link ${modules} -o ${out}
    DEPENDS ${modules} ${engine_llvm_bindir}/llvm-link
    COMMENT "Linking ${out}"
    VERBATIM)
endfunction()
