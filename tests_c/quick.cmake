# Which tests `make check` runs: those with the label quick, which is every one of the C tests, of what surrounds the
# code, and of the PHP tests without the JIT compiler, unless quick_not.txt names it.

# The target that builds what they run.
add_custom_target(quick)

# test_needs(TEST TARGET...): what has to be built before the test runs.
function(test_needs test)
    set_property(GLOBAL PROPERTY "needed by ${test}" ${ARGN})
    list(JOIN ARGN " " targets)
    set_property(GLOBAL APPEND_STRING PROPERTY test_needs "${test} ${targets}\n")
endfunction()

# write_test_needs(FILE): a line for each test, with the targets that it needs: for `make check ONLY=...`.
function(write_test_needs file)
    get_property(lines GLOBAL PROPERTY test_needs)
    file(WRITE ${file} "${lines}")
endfunction()

# label_quick(): labels the tests of this folder, once all of them are there.
function(label_quick)
    get_property(tests DIRECTORY PROPERTY TESTS)
    set(list ${PROJECT_SOURCE_DIR}/tests_c/quick_not.txt)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
    file(STRINGS ${list} lines REGEX "^[a-z(]")
    set(names)
    foreach(line IN LISTS lines)
        if(NOT line MATCHES "^([^ ]+) +[^ ]")
            message(FATAL_ERROR "quick_not.txt: expected tests and the reason: ${line}")
        endif()
        list(APPEND names ${CMAKE_MATCH_1})
    endforeach()
    list(JOIN names "|" names)
    foreach(test IN LISTS tests)
        if(test MATCHES "^(${names})$")
            continue()
        endif()
        set_property(TEST ${test} APPEND PROPERTY LABELS quick)
        get_property(targets GLOBAL PROPERTY "needed by ${test}")
        if(targets)
            add_dependencies(quick ${targets})
        endif()
    endforeach()
endfunction()
