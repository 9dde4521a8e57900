package linear

import "github.com/anishathalye/porcupine"

// Pools with creation behind.
var makingBehind = []smallHistory{
	{"who finds nothing idle stands in line, and is lent what is made", "1 1 0 1 0 1", `
		0 1 2 step 1000 wait 0
		1 3 4 make 0 create 0
		1 5 6 created 1 OK 0
		0 7 8 back 0 OK 1`, porcupine.Ok},
	{"it makes nothing itself", "1 1 0 0 0 1", `
		0 1 2 step 1000 create 0`, porcupine.Illegal},
	{"nor does a try", "1 1 0 0 0 1", `
		0 1 2 try 0 create 0`, porcupine.Illegal},
	{"before_acquire is not asked about what was made for it", "1 1 0 1 0 1", `
		0 1 2 step 1000 wait 0
		1 3 4 make 0 create 0
		1 5 6 created 1 OK 0
		0 7 8 back 0 check 1`, porcupine.Illegal},
	{"nothing is made while nobody waits", "1 1 0 0 0 1", `
		0 1 2 make 0 create 0`, porcupine.Illegal},
	{"nor more than there are waiting", "2 1 0 0 0 1", `
		0 1 2 step 1000 wait 0
		1 3 4 make 0 create 0
		2 5 6 make 0 create 0`, porcupine.Illegal},
	{"nor less", "2 1 0 0 0 1", `
		0 1 2 step 1000 wait 0
		1 3 4 make 0 EMPTY 0`, porcupine.Illegal},
	{"a caller takes what comes first", "2 1 1 0 0 1", `
		0 1 2 try 0 OK 1
		1 3 4 step 1000 wait 0
		2 5 6 make 0 create 0
		0 7 8 release 1 OK 0
		1 9 10 back 0 OK 1
		2 11 12 created 2 OK 0
		3 13 14 try 0 OK 2`, porcupine.Ok},
	{"a failure is told to the first in line", "1 1 0 0 0 1", `
		0 1 2 step 1000 wait 0
		1 3 4 step 1000 wait 0
		2 5 6 make 0 create 0
		2 7 8 failed 0 ERR_FACTORY 0
		1 9 10 back 0 wait 0
		0 11 12 back 0 ERR_FACTORY 0`, porcupine.Ok},
	{"and to nobody else", "1 1 0 0 0 1", `
		0 1 2 step 1000 wait 0
		1 3 4 step 1000 wait 0
		2 5 6 make 0 create 0
		2 7 8 failed 0 ERR_FACTORY 0
		1 9 10 back 0 ERR_FACTORY 0`, porcupine.Illegal},
	{"who refuses what it was promised is first in line again", "1 1 1 1 0 1", `
		0 1 2 step 1000 check 1
		1 3 4 step 1000 wait 0
		0 5 6 refused 1 destroy 1
		0 7 8 destroyed 1 wait 0
		2 9 10 make 0 create 0
		2 11 12 created 2 OK 0
		0 13 14 back 0 OK 2`, porcupine.Ok},
	{"not the second", "1 1 1 1 0 1", `
		0 1 2 step 1000 check 1
		1 3 4 step 1000 wait 0
		0 5 6 refused 1 destroy 1
		0 7 8 destroyed 1 wait 0
		2 9 10 make 0 create 0
		2 11 12 created 2 OK 0
		1 13 14 back 0 OK 2`, porcupine.Illegal},
	{"also where it waits by itself", "1 1 1 1 0 1", `
		0 1 2 acquire 1000 check 1
		1 3 4 step 1000 wait 0
		0 5 6 refused 1 destroy 1
		0 7 14 destroyed 1 OK 2
		2 9 10 make 0 create 0
		2 11 12 created 2 OK 0
		1 15 16 back 0 wait 0`, porcupine.Ok},
	{"when a thread of the library has begun and ended is not known", "1 1 0 0 0 1", `
		0 3 4 step 1000 wait 0
		7 1 6 make 0 create 0
		7 7 20 created 1 ended 0
		0 9 10 back 0 OK 1
		0 11 12 release 1 OK 0`, porcupine.Ok},
	{"but that somebody waited", "1 1 0 0 0 1", `
		7 1 2 make 0 create 0
		0 3 4 step 1000 wait 0`, porcupine.Illegal},
	{"what is being made while an evict begins is destroyed", "1 1 0 0 0 1", `
		0 1 2 step 1000 wait 0
		1 3 4 make 0 create 0
		2 5 6 evict 0 OK 0
		1 7 8 created 1 destroy 1
		1 9 10 destroyed 1 OK 0
		0 11 12 back 0 wait 0`, porcupine.Ok},
	{"and lent to nobody", "1 1 0 0 0 1", `
		0 1 2 step 1000 wait 0
		1 3 4 make 0 create 0
		2 5 6 evict 0 OK 0
		1 7 8 created 1 OK 0`, porcupine.Illegal},
}
