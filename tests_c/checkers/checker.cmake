# What ASYNCPOOL_SANITIZE stands for: how library and tests are built, what runs them, and which are left out.
#
#     checker_build      the mode of abi/build.sh
#     checker_launcher   the command that a test is given to; empty: none
#     checker_slowdown   how many times as long a test may take
#     checker_php        the environment for bridge/php/tests/run.sh
#     checker            the target that the programs of the tests link with
#     checker_library    the library that they link with

set(checker_names_address asan)
set(checker_names_thread tsan)
set(checker_names_undefined ubsan)
set(checker_names_memcheck memcheck)
set(checker_names_helgrind helgrind)
set(checker_names_core core)
set(checker_names_static static)

set(checker_build normal)
set(checker_launcher)
set(checker_slowdown 1)
set(checker_flags)
set(checker_library asyncpool::asyncpool)
set(checker_name ${checker_names_${ASYNCPOOL_SANITIZE}})
if(checker_name)
    set(checker_launcher ${CMAKE_CURRENT_LIST_DIR}/under.sh ${checker_name})
    set(checker_build ${checker_name})
    set(checker_slowdown 5)
    set(checker_flags -fsanitize=${ASYNCPOOL_SANITIZE} -fno-omit-frame-pointer)
elseif(ASYNCPOOL_SANITIZE)
    message(FATAL_ERROR "ASYNCPOOL_SANITIZE is \"${ASYNCPOOL_SANITIZE}\", "
        "expected address, thread, undefined, memcheck, helgrind, core, static or nothing")
endif()
if(ASYNCPOOL_SANITIZE STREQUAL undefined)
    list(APPEND checker_flags -fno-sanitize-recover=undefined)
endif()
if(ASYNCPOOL_SANITIZE MATCHES "memcheck|helgrind")
    find_program(VALGRIND valgrind REQUIRED)
    set(checker_slowdown 10)
    set(checker_flags)
endif()
if(ASYNCPOOL_SANITIZE STREQUAL memcheck)
    set(checker_build normal) # the library as it is
endif()
if(CMAKE_CROSSCOMPILING AND NOT ASYNCPOOL_SANITIZE) # for another processor, which is made up
    set(checker_name qemu)
    set(checker_launcher ${CMAKE_CROSSCOMPILING_EMULATOR})
    set(checker_slowdown 10)
endif()
if(ASYNCPOOL_SANITIZE MATCHES "core|static") # nothing watches: without the fast path; the archive
    set(checker_launcher)
    set(checker_slowdown 1)
    set(checker_flags)
endif()
if(ASYNCPOOL_SANITIZE STREQUAL static)
    set(checker_build normal) # what is opened at run time
    set(checker_library asyncpool::static)
endif()

set(checker_preload PRELOAD=$<TARGET_FILE:preload>) # for a PHP that was not built for the sanitizer
set(checker_php)
if(checker_launcher)
    set(checker_php CHECKER=${checker_name})
endif()
if(checker_name MATCHES "asan|tsan")
    list(APPEND checker_php ${checker_preload})
endif()

add_library(checker INTERFACE)
target_compile_options(checker INTERFACE ${checker_flags})
target_link_options(checker INTERFACE ${checker_flags})
target_compile_definitions(checker INTERFACE CHECK_SLOWDOWN=${checker_slowdown})
if(checker_name STREQUAL qemu)
    target_compile_definitions(checker INTERFACE CHECK_EMULATED)
endif()
if(VALGRIND)
    target_compile_definitions(checker INTERFACE POOL_UCONTEXT_VALGRIND)
endif()
if(ASYNCPOOL_SANITIZE STREQUAL helgrind)
    # As abi/build.sh does with the library.
    add_library(helgrind_atomics STATIC abi/helgrind/atomics.c)
    set_target_properties(helgrind_atomics PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(helgrind_atomics PRIVATE -O2 -g -Wall -Wextra -Werror)
    target_compile_options(checker INTERFACE -fsanitize=thread -U__SANITIZE_THREAD__)
    target_link_libraries(checker INTERFACE helgrind_atomics)
endif()

# checker_leave_out(): disables the tests of this folder that left_out.txt names for this checker. ctest lists
# them as not run.
function(checker_leave_out)
    get_property(tests DIRECTORY PROPERTY TESTS)
    file(STRINGS ${PROJECT_SOURCE_DIR}/tests_c/checkers/left_out.txt lines REGEX "^[a-z]")
    foreach(line IN LISTS lines)
        if(NOT line MATCHES "^([a-z,]+) +([^ ]+) +[^ ]")
            message(FATAL_ERROR "left_out.txt: expected checkers, tests and the reason: ${line}")
        endif()
        set(name ${CMAKE_MATCH_2})
        string(REPLACE "," ";" checkers ${CMAKE_MATCH_1})
        if(NOT checker_name IN_LIST checkers)
            continue()
        endif()
        foreach(test IN LISTS tests)
            if(test MATCHES "^${name}$")
                set_tests_properties(${test} PROPERTIES DISABLED TRUE)
            endif()
        endforeach()
    endforeach()
endfunction()
