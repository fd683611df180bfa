// Files, which are in the memory of the program. potluck_mpi.h includes this.

#ifndef POTLUCK_MPI_FILES_H
#define POTLUCK_MPI_FILES_H

#define MPI_FILE_NULL ((MPI_File)0)
enum {
    MPI_MODE_CREATE = 1, MPI_MODE_RDONLY = 2, MPI_MODE_WRONLY = 4, MPI_MODE_RDWR = 8, MPI_MODE_DELETE_ON_CLOSE = 16,
    MPI_MODE_UNIQUE_OPEN = 32, MPI_MODE_EXCL = 64, MPI_MODE_APPEND = 128, MPI_MODE_SEQUENTIAL = 256,
};
enum { MPI_SEEK_SET, MPI_SEEK_CUR, MPI_SEEK_END };
enum { MPI_MAX_DATAREP_STRING = 16 };

int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *made);
int MPI_File_close(MPI_File *closed);
int MPI_File_delete(const char *name, MPI_Info info);
int MPI_File_get_size(MPI_File file, MPI_Offset *bytes);
int MPI_File_set_size(MPI_File file, MPI_Offset bytes);
int MPI_File_preallocate(MPI_File file, MPI_Offset bytes);
int MPI_File_sync(MPI_File file);
int MPI_File_set_view(MPI_File file, MPI_Offset start, MPI_Datatype unit, MPI_Datatype pattern, const char *form,
                      MPI_Info info);
int MPI_File_get_view(MPI_File file, MPI_Offset *start, MPI_Datatype *unit, MPI_Datatype *pattern, char *form);
int MPI_File_get_type_extent(MPI_File file, MPI_Datatype type, MPI_Aint *extent);
int MPI_File_get_amode(MPI_File file, int *mode);
int MPI_File_get_group(MPI_File file, MPI_Group *group);
int MPI_File_set_info(MPI_File file, MPI_Info info);
int MPI_File_get_info(MPI_File file, MPI_Info *info);
int MPI_File_get_atomicity(MPI_File file, int *flag);
int MPI_File_set_errhandler(MPI_File file, MPI_Errhandler handler);
int MPI_File_get_errhandler(MPI_File file, MPI_Errhandler *handler);
int MPI_File_read_at(MPI_File file, MPI_Offset place, void *buffer, int count, MPI_Datatype type, MPI_Status *status);
int MPI_File_write_at(MPI_File file, MPI_Offset place, const void *buffer, int count, MPI_Datatype type,
                      MPI_Status *status);
int MPI_File_read(MPI_File file, void *buffer, int count, MPI_Datatype type, MPI_Status *status);
int MPI_File_write(MPI_File file, const void *buffer, int count, MPI_Datatype type, MPI_Status *status);
int MPI_File_read_at_all(MPI_File file, MPI_Offset place, void *buffer, int count, MPI_Datatype type,
                         MPI_Status *status);
int MPI_File_write_at_all(MPI_File file, MPI_Offset place, const void *buffer, int count, MPI_Datatype type,
                          MPI_Status *status);
int MPI_File_read_all(MPI_File file, void *buffer, int count, MPI_Datatype type, MPI_Status *status);
int MPI_File_write_all(MPI_File file, const void *buffer, int count, MPI_Datatype type, MPI_Status *status);
int MPI_File_read_ordered(MPI_File file, void *buffer, int count, MPI_Datatype type, MPI_Status *status);
int MPI_File_write_ordered(MPI_File file, const void *buffer, int count, MPI_Datatype type, MPI_Status *status);
int MPI_File_iread_at(MPI_File file, MPI_Offset place, void *buffer, int count, MPI_Datatype type,
                      MPI_Request *request);
int MPI_File_iwrite_at(MPI_File file, MPI_Offset place, const void *buffer, int count, MPI_Datatype type,
                       MPI_Request *request);
int MPI_File_iread(MPI_File file, void *buffer, int count, MPI_Datatype type, MPI_Request *request);
int MPI_File_iwrite(MPI_File file, const void *buffer, int count, MPI_Datatype type, MPI_Request *request);
int MPI_File_seek(MPI_File file, MPI_Offset distance, int from);
int MPI_File_seek_shared(MPI_File file, MPI_Offset distance, int from);
int MPI_File_get_position(MPI_File file, MPI_Offset *place);
int MPI_File_get_position_shared(MPI_File file, MPI_Offset *place);
int MPI_File_get_byte_offset(MPI_File file, MPI_Offset place, MPI_Offset *byte);

#endif
