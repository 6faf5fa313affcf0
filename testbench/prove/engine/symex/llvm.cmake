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

# add_bitcode(OUT COMMAND SOURCE... [LINK COMMAND...] [BESIDE SUFFIX] [DEPENDS FILE...]): the sources as one
# module of bitcode, OUT. COMMAND, a list that begins with a script, is run with SOURCE MODULE at its end, as
# bitcode.sh takes them. LINK's command, likewise, is run with OUT MODULE... and is llvm-link by default. If both
# write another file beside their output, the file's name ends in SUFFIX. Modules also depend on each FILE.
function(add_bitcode out command)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" BESIDE "LINK;DEPENDS")
  set(bitcode_sh ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/bitcode.sh)
  set(linker ${engine_llvm_bindir}/llvm-link)
  if(NOT arg_LINK)
    set(arg_LINK ${linker} -o)
  endif()
  list(GET command 0 script)
  list(GET arg_LINK 0 link_script)
  string(REGEX REPLACE "\\.bc$" "" folder ${out})
  set(modules)
  foreach(source ${arg_UNPARSED_ARGUMENTS})
    get_filename_component(base ${source} NAME_WE)
    set(module ${folder}/${base}.bc)
    set(outputs ${module})
    if(arg_BESIDE)
      list(APPEND outputs ${module}${arg_BESIDE})
    endif()
    add_custom_command(
      OUTPUT ${outputs}
      COMMAND ${command} ${source} ${module}
      DEPENDS ${source} ${script} ${bitcode_sh} ${arg_DEPENDS} ${engine_llvm_bindir}/clang
      DEPFILE ${module}.d
      COMMENT "Bitcode of ${base}.c for ${out}"
      VERBATIM)
    list(APPEND modules ${module})
  endforeach()
  file(MAKE_DIRECTORY ${folder})
  set(outputs ${out})
  if(arg_BESIDE)
    list(APPEND outputs ${out}${arg_BESIDE})
  endif()
  add_custom_command(
    OUTPUT ${outputs}
    COMMAND ${arg_LINK} ${out} ${modules}
    DEPENDS ${modules} ${link_script} ${linker}
    COMMENT "Linking ${out}"
    VERBATIM)
endfunction()
