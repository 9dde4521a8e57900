# Removes what was installed: the files that a manifest of `cmake --install` names, below DESTDIR if that is set, and the
# folders that are empty then, but for the prefix and what lies right below it (lib, include, share).
#
#     cmake -D manifest=FILE [-D prefix=PREFIX] -P uninstall.cmake
cmake_minimum_required(VERSION 3.21)

if(NOT EXISTS "${manifest}")
    message(FATAL_ERROR "${manifest} is not there, which names what was installed. Install once more in the same way, "
        "and then uninstall.")
endif()
file(STRINGS "${manifest}" files)

# The prefix is where the folders of all files meet.
list(GET files 0 installed_prefix)
foreach(file IN LISTS files)
    cmake_path(IS_PREFIX installed_prefix "${file}" inside)
    while(NOT inside)
        cmake_path(GET installed_prefix PARENT_PATH installed_prefix)
        cmake_path(IS_PREFIX installed_prefix "${file}" inside)
    endwhile()
endforeach()
string(REGEX REPLACE "/+$" "" prefix "${prefix}")
if(prefix AND NOT prefix STREQUAL installed_prefix)
    message(FATAL_ERROR "What was installed last is in ${installed_prefix}, not in ${prefix}: uninstall it with that PREFIX, "
        "or install once more in the other and then uninstall.")
endif()

foreach(file IN LISTS files)
    set(path "$ENV{DESTDIR}${file}")
    if(NOT EXISTS "${path}" AND NOT IS_SYMLINK "${path}")
        message(STATUS "Not there: ${path}")
        continue()
    endif()
    message(STATUS "Removing: ${path}")
    file(REMOVE "${path}")
    if(EXISTS "${path}" OR IS_SYMLINK "${path}")
        message(FATAL_ERROR "${path} cannot be removed: has it another owner?")
    endif()
endforeach()

foreach(file IN LISTS files)
    cmake_path(GET file PARENT_PATH folder)
    cmake_path(GET folder PARENT_PATH above)
    while(NOT folder STREQUAL installed_prefix AND NOT above STREQUAL installed_prefix)
        execute_process(COMMAND rmdir "$ENV{DESTDIR}${folder}" RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
        if(NOT code EQUAL 0 AND EXISTS "$ENV{DESTDIR}${folder}")
            break()
        endif()
        set(folder "${above}")
        cmake_path(GET folder PARENT_PATH above)
    endwhile()
endforeach()
