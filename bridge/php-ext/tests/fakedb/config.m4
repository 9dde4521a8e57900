dnl A driver of a database that is not there, for the tests: see fakedb.c.
PHP_ARG_ENABLE([fakedb], [whether to enable fakedb], [AS_HELP_STRING([--enable-fakedb], [Enable fakedb])])
PHP_ARG_WITH([asyncpool-include], [where asyncpool/pool.h is], [AS_HELP_STRING([--with-asyncpool-include=DIR],
  [fakedb: folders with asyncpool/pool.h, php_asyncpool.h])], [no], [no])

if test "$PHP_FAKEDB" != "no"; then
  for dir in $(echo "$PHP_ASYNCPOOL_INCLUDE" | tr ':' ' '); do
    PHP_ADD_INCLUDE([$dir])
  done
  PHP_NEW_EXTENSION([fakedb], [fakedb.c connection.c interrupt.c pointers.c table.c], [$ext_shared],, [-std=gnu11 -Wall -Wextra -Wno-unused-parameter -Werror])
fi
