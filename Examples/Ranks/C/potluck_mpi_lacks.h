// What Potluck has not. A program that uses it gets an error with a reason instead of an unknown name. potluck_mpi.h
// includes this.

#ifndef POTLUCK_MPI_LACKS_H
#define POTLUCK_MPI_LACKS_H

#define POTLUCK_LACKS(what) __attribute__((unavailable("programs with ranks have no " what "; see docs/FROM-MPI.md")))
typedef int MPI_Message POTLUCK_LACKS("matched probes; use MPI_Probe");
#define POTLUCK_LACK_0 POTLUCK_LACKS("place in a file that ranks share and move alone; use MPI_File_write_ordered")
int MPI_File_read_shared() POTLUCK_LACK_0;
int MPI_File_write_shared() POTLUCK_LACK_0;
int MPI_File_iread_shared() POTLUCK_LACK_0;
int MPI_File_iwrite_shared() POTLUCK_LACK_0;
int MPI_File_set_atomicity() POTLUCK_LACKS("writes that other ranks see at once; use MPI_File_sync");
#define POTLUCK_LACK_10 POTLUCK_LACKS("collective calls for files in two parts; use the call of one part")
int MPI_File_read_all_begin() POTLUCK_LACK_10;
int MPI_File_read_all_end() POTLUCK_LACK_10;
int MPI_File_read_at_all_begin() POTLUCK_LACK_10;
int MPI_File_read_at_all_end() POTLUCK_LACK_10;
int MPI_File_read_ordered_begin() POTLUCK_LACK_10;
int MPI_File_read_ordered_end() POTLUCK_LACK_10;
int MPI_File_write_all_begin() POTLUCK_LACK_10;
int MPI_File_write_all_end() POTLUCK_LACK_10;
int MPI_File_write_at_all_begin() POTLUCK_LACK_10;
int MPI_File_write_at_all_end() POTLUCK_LACK_10;
int MPI_File_write_ordered_begin() POTLUCK_LACK_10;
int MPI_File_write_ordered_end() POTLUCK_LACK_10;
#define POTLUCK_LACK_1 POTLUCK_LACKS( \
    "dynamic processes: start all ranks with -n and split them with MPI_Comm_split")
int MPI_Comm_spawn() POTLUCK_LACK_1;
int MPI_Comm_spawn_multiple() POTLUCK_LACK_1;
int MPI_Comm_get_parent() POTLUCK_LACK_1;
#define POTLUCK_LACK_2 POTLUCK_LACKS( \
    "ports: a program ends with its ranks, so no other one can connect; start all ranks with -n and use MPI_Comm_split")
int MPI_Open_port() POTLUCK_LACK_2;
int MPI_Close_port() POTLUCK_LACK_2;
int MPI_Publish_name() POTLUCK_LACK_2;
int MPI_Unpublish_name() POTLUCK_LACK_2;
int MPI_Lookup_name() POTLUCK_LACK_2;
int MPI_Comm_accept() POTLUCK_LACK_2;
int MPI_Comm_connect() POTLUCK_LACK_2;
int MPI_Comm_join() POTLUCK_LACK_2;
#define POTLUCK_LACK_3 POTLUCK_LACKS("intercommunicators; use MPI_Comm_create")
int MPI_Intercomm_create() POTLUCK_LACK_3;
int MPI_Intercomm_merge() POTLUCK_LACK_3;
int MPI_Comm_remote_size() POTLUCK_LACK_3;
int MPI_Comm_remote_group() POTLUCK_LACK_3;
#define POTLUCK_LACK_4 POTLUCK_LACKS( \
    "locks of windows, because a rank serves others only in a call of its own; use MPI_Win_fence")
int MPI_Win_lock() POTLUCK_LACK_4;
int MPI_Win_unlock() POTLUCK_LACK_4;
int MPI_Win_lock_all() POTLUCK_LACK_4;
int MPI_Win_unlock_all() POTLUCK_LACK_4;
int MPI_Win_flush() POTLUCK_LACK_4;
int MPI_Win_flush_all() POTLUCK_LACK_4;
int MPI_Win_flush_local() POTLUCK_LACK_4;
int MPI_Win_flush_local_all() POTLUCK_LACK_4;
int MPI_Win_sync() POTLUCK_LACK_4;
int MPI_Rput() POTLUCK_LACK_4;
int MPI_Rget() POTLUCK_LACK_4;
int MPI_Raccumulate() POTLUCK_LACK_4;
int MPI_Rget_accumulate() POTLUCK_LACK_4;
#define POTLUCK_LACK_5 POTLUCK_LACKS("matched probes; use MPI_Probe")
int MPI_Mprobe() POTLUCK_LACK_5;
int MPI_Improbe() POTLUCK_LACK_5;
int MPI_Mrecv() POTLUCK_LACK_5;
int MPI_Imrecv() POTLUCK_LACK_5;
#define POTLUCK_LACK_6 POTLUCK_LACKS("duplicate that does not block; use MPI_Comm_dup")
int MPI_Comm_idup() POTLUCK_LACK_6;
#define POTLUCK_LACK_7 POTLUCK_LACKS("distributed arrays; use MPI_Type_create_subarray")
int MPI_Type_create_darray() POTLUCK_LACK_7;
#define POTLUCK_LACK_8 POTLUCK_LACKS("requests of their own; use messages")
int MPI_Grequest_start() POTLUCK_LACK_8;
int MPI_Grequest_complete() POTLUCK_LACK_8;

#endif
