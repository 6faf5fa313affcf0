# pmuv3::pmuv3 and pmuv3::shared, the C model; with the component check also pmuv3::check and
# pmuv3::check_shared, the checker of devices; with tlm also pmuv3::tlm, the SystemC module.
# pmuv3_CORES: the folder of the presets of cores; pmuv3_RTL: that of the RTL and its list of files;
# pmuv3_IPXACT: the external page.

# share/pmuv3 lies below one of the folders above.
set(pmuv3_above ${CMAKE_CURRENT_LIST_DIR})
while(NOT EXISTS ${pmuv3_above}/share/pmuv3/cores AND NOT pmuv3_above STREQUAL /)
  get_filename_component(pmuv3_above ${pmuv3_above} DIRECTORY)
endwhile()
set(pmuv3_CORES ${pmuv3_above}/share/pmuv3/cores)
set(pmuv3_RTL ${pmuv3_above}/share/pmuv3/rtl)
set(pmuv3_IPXACT ${pmuv3_above}/share/pmuv3/pmuv3.ipxact.xml)

include(${CMAKE_CURRENT_LIST_DIR}/pmuv3Targets.cmake)

foreach(component ${pmuv3_FIND_COMPONENTS})
  set(pmuv3_missing)
  set(pmuv3_${component}_FOUND FALSE)
  if(component STREQUAL check)
    include(${CMAKE_CURRENT_LIST_DIR}/pmuv3CheckTargets.cmake)
  elseif(component STREQUAL tlm AND EXISTS ${CMAKE_CURRENT_LIST_DIR}/pmuv3TlmTargets.cmake)
    include(${CMAKE_CURRENT_LIST_DIR}/pmuv3SystemC.cmake)
    if(TARGET pmuv3::systemc)
      include(${CMAKE_CURRENT_LIST_DIR}/pmuv3TlmTargets.cmake)
    else()
      set(pmuv3_missing "pmuv3's component tlm needs SystemC: CMake's SystemCLanguage, or systemc of pkg-config")
    endif()
  else()
    set(pmuv3_missing "pmuv3 has no component ${component}; it has check and tlm")
  endif()
  if(NOT pmuv3_missing)
    set(pmuv3_${component}_FOUND TRUE)
  elseif(pmuv3_FIND_REQUIRED_${component})
    set(pmuv3_FOUND FALSE)
    set(pmuv3_NOT_FOUND_MESSAGE "${pmuv3_missing}")
    return()
  endif()
endforeach()
