# pmuv3::pmuv3 and pmuv3::shared, the C model; with the component check also pmuv3::check and
# pmuv3::check_shared, the checker of devices; with tlm also pmuv3::tlm, the SystemC module.
include(CMakeFindDependencyMacro)

# The folder of the presets of cores, below one of the folders above.
set(pmuv3_above ${CMAKE_CURRENT_LIST_DIR})
while(NOT EXISTS ${pmuv3_above}/share/pmuv3/cores AND NOT pmuv3_above STREQUAL /)
  get_filename_component(pmuv3_above ${pmuv3_above} DIRECTORY)
endwhile()
set(pmuv3_CORES ${pmuv3_above}/share/pmuv3/cores)

include(${CMAKE_CURRENT_LIST_DIR}/pmuv3Targets.cmake)

foreach(component ${pmuv3_FIND_COMPONENTS})
  if(component STREQUAL check)
    include(${CMAKE_CURRENT_LIST_DIR}/pmuv3CheckTargets.cmake)
  elseif(component STREQUAL tlm)
    find_dependency(PkgConfig)
    pkg_check_modules(SystemC REQUIRED IMPORTED_TARGET systemc)
    include(${CMAKE_CURRENT_LIST_DIR}/pmuv3TlmTargets.cmake)
  else()
    set(pmuv3_FOUND FALSE)
    set(pmuv3_NOT_FOUND_MESSAGE "pmuv3 has no component ${component}; it has check and tlm")
    return()
  endif()
  set(pmuv3_${component}_FOUND TRUE)
endforeach()
