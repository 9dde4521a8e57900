# The library, and what programs link with, by the names that find_package(asyncpool) has for them, too:
#
#     asyncpool::asyncpool   libasyncpool.so
#     asyncpool::static      libasyncpool.a
#     asyncpool::headers     for what loads the library itself (pool_api.h)
#
# Imported targets, since go links them: $<TARGET_FILE:asyncpool::asyncpool> is the file, install(IMPORTED_RUNTIME_ARTIFACTS)
# installs it, and a project may export what links with them.

set(library_dir ${PROJECT_BINARY_DIR}/lib)
set(configurations None)
get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(ASYNCPOOL_PREBUILT)
    set(library_dir ${ASYNCPOOL_PREBUILT})
    set(multi_config FALSE)
elseif(multi_config)
    string(APPEND library_dir /$<CONFIG>)
    set(configurations ${CMAKE_CONFIGURATION_TYPES})
elseif(CMAKE_BUILD_TYPE)
    set(configurations ${CMAKE_BUILD_TYPE})
endif()
set(soname libasyncpool.so.${PROJECT_VERSION_MAJOR})
set(library_name libasyncpool.so.${PROJECT_VERSION})

# --- what go is told ------------------------------------------------------------------------------

# Another processor's name.
set(go_environment CGO_ENABLED=1)
if(CMAKE_CROSSCOMPILING)
    set(goarch_aarch64 arm64)
    set(goarch_arm64 arm64)
    set(goarch_x86_64 amd64)
    if(NOT goarch_${CMAKE_SYSTEM_PROCESSOR})
        message(FATAL_ERROR "asyncpool is built for aarch64 and x86_64, not for ${CMAKE_SYSTEM_PROCESSOR}: docs/platforms.md")
    endif()
    list(APPEND go_environment GOARCH=${goarch_${CMAKE_SYSTEM_PROCESSOR}})
endif()

# asyncpool_words(OUT WORD...): as Go splits them: at blanks, but for a word that is quoted as a whole.
function(asyncpool_words out)
    set(words)
    foreach(word IN LISTS ARGN)
        if(word MATCHES "[ \t]" AND word MATCHES "'")
            set(word "\"${word}\"")
        elseif(word MATCHES "[ \t]")
            set(word "'${word}'")
        endif()
        list(APPEND words "${word}")
    endforeach()
    list(JOIN words " " words)
    set(${out} "${words}" PARENT_SCOPE)
endfunction()

# The compiler with its launcher (ccache), and what a toolchain file has CMake tell it.
set(compiler ${CMAKE_C_COMPILER_LAUNCHER} ${CMAKE_C_COMPILER})
separate_arguments(arguments UNIX_COMMAND "${CMAKE_C_COMPILER_ARG1}")
list(APPEND compiler ${arguments})
if(CMAKE_C_COMPILER_TARGET AND CMAKE_C_COMPILE_OPTIONS_TARGET)
    list(APPEND compiler ${CMAKE_C_COMPILE_OPTIONS_TARGET}${CMAKE_C_COMPILER_TARGET})
endif()
if(CMAKE_SYSROOT)
    list(APPEND compiler --sysroot=${CMAKE_SYSROOT})
endif()
asyncpool_words(compiler ${compiler})
list(APPEND go_environment "CC=${compiler}")

# --- the files ------------------------------------------------------------------------------------

file(GLOB_RECURSE library_sources CONFIGURE_DEPENDS
    abi/*.go abi/helgrind/*.c bridge/*.go bridge/*.c bridge/*.h bridge/*.[sS] pool/*.go)
list(FILTER library_sources EXCLUDE REGEX "_test\\.go$")
file(GLOB public_headers CONFIGURE_DEPENDS include/asyncpool/*.h)
list(APPEND library_sources ${public_headers} go.mod go.sum abi/build.sh abi/asyncpool.map)

# asyncpool_build(CONFIGURATION FOLDER): how the library and the archive come to be there, with the flags of the
# configuration. They are in a file, too, so that all is built anew when they change.
function(asyncpool_build configuration folder)
    string(TOUPPER ${configuration} suffix)
    separate_arguments(cflags UNIX_COMMAND "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${suffix}}")
    separate_arguments(ldflags UNIX_COMMAND "${CMAKE_SHARED_LINKER_FLAGS} ${CMAKE_SHARED_LINKER_FLAGS_${suffix}}")
    # Warnings and a language are asked of one's own code.
    list(FILTER cflags EXCLUDE REGEX "^-(W[^lap]|w$|pedantic|std=)")
    asyncpool_words(cflags ${cflags})
    asyncpool_words(ldflags ${ldflags})
    set(environment ${go_environment} "CFLAGS=${cflags}" "LDFLAGS=${ldflags}")
    list(JOIN environment "\n" content)
    file(CONFIGURE OUTPUT ${folder}/flags.txt CONTENT "${content}\n" @ONLY)
    add_custom_command(
        OUTPUT ${folder}/${library_name}
        BYPRODUCTS ${folder}/${soname} ${folder}/libasyncpool.so
        COMMAND ${CMAKE_COMMAND} -E env ${environment}
            ${PROJECT_SOURCE_DIR}/abi/build.sh ${folder} ${checker_build}
        DEPENDS ${library_sources} ${folder}/flags.txt
        COMMENT "Linking libasyncpool.so (${checker_build})"
        VERBATIM)
    add_custom_command(
        OUTPUT ${folder}/libasyncpool.a
        COMMAND ${CMAKE_COMMAND} -E env ${environment} AR=${CMAKE_AR} OBJCOPY=${CMAKE_OBJCOPY}
            ${PROJECT_SOURCE_DIR}/abi/build.sh ${folder} static
        DEPENDS ${library_sources} ${folder}/flags.txt
        COMMENT "Making libasyncpool.a"
        VERBATIM)
endfunction()

if(NOT ASYNCPOOL_PREBUILT)
    foreach(configuration IN LISTS configurations)
        string(REPLACE "$<CONFIG>" ${configuration} folder ${library_dir})
        asyncpool_build(${configuration} ${folder})
    endforeach()
endif()

# By themselves they are built only where they are installed or tested, else for who links with them.
set(library_all)
set(static_all)
if(PROJECT_IS_TOP_LEVEL OR ASYNCPOOL_INSTALL)
    set(library_all ALL)
endif()
if(ASYNCPOOL_STATIC)
    set(static_all ${library_all})
endif()
add_custom_target(asyncpool_library ${library_all} DEPENDS ${library_dir}/${library_name})
add_custom_target(asyncpool_archive ${static_all} DEPENDS ${library_dir}/libasyncpool.a)

# --- the targets ----------------------------------------------------------------------------------

add_library(asyncpool::asyncpool SHARED IMPORTED GLOBAL)
add_library(asyncpool::static STATIC IMPORTED GLOBAL)
add_library(asyncpool::headers INTERFACE IMPORTED GLOBAL)
add_dependencies(asyncpool::asyncpool asyncpool_library)
add_dependencies(asyncpool::static asyncpool_archive)

foreach(configuration IN LISTS configurations)
    set(suffix)
    if(multi_config)
        string(TOUPPER _${configuration} suffix)
    endif()
    string(REPLACE "$<CONFIG>" ${configuration} folder ${library_dir})
    set_target_properties(asyncpool::asyncpool PROPERTIES
        IMPORTED_LOCATION${suffix} ${folder}/${library_name}
        IMPORTED_SONAME${suffix} ${soname})
    set_target_properties(asyncpool::static PROPERTIES IMPORTED_LOCATION${suffix} ${folder}/libasyncpool.a)
endforeach()

set_target_properties(asyncpool::asyncpool asyncpool::static asyncpool::headers PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/include)
# A shared object that has the archive inside must not be unloaded: its Go runtime cannot be.
set_target_properties(asyncpool::static PROPERTIES INTERFACE_LINK_OPTIONS "-pthread;LINKER:-z,nodelete")
set_target_properties(asyncpool::headers PROPERTIES
    INTERFACE_LINK_OPTIONS -pthread
    INTERFACE_LINK_LIBRARIES "${CMAKE_DL_LIBS}")
