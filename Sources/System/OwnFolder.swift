import Glibc

/// Why a folder may contain files of another user.
public enum FolderError: Error, Equatable, Sendable {
    /// The folder does not exist, and this is the error number of creating it.
    case missing(Int32)
    /// A file or a link is in its place.
    case notAFolder
    case ofAnotherUser
    /// It is this user's, but the permissions of others cannot be taken away.
    case open
}

/// Creates a folder and its parents if they are missing, and takes the permissions `denied` from group and others.
/// Throws unless the folder then belongs to this user and nobody else has these permissions.
public func makeOwnFolder(_ path: String, denying denied: mode_t) throws(FolderError) {
    let obstacle = makeFolders(path)
    var found = stat()
    guard lstat(path, &found) == 0 else { throw .missing(obstacle == 0 ? errno : obstacle) }
    guard found.st_mode & S_IFMT == S_IFDIR else { throw .notAFolder }
    guard found.st_uid == geteuid() else { throw .ofAnotherUser }
    guard found.st_mode & denied == 0 || chmod(path, found.st_mode & 0o7777 & ~denied) == 0 else { throw .open }
}

/// Whether a file (`S_IFREG`) or a folder (`S_IFDIR`) is at `path` that belongs to this user and that nobody else may
/// write to. A link is neither.
public func isOwn(_ path: String, _ kind: mode_t) -> Bool {
    var found = stat()
    return lstat(path, &found) == 0 && found.st_mode & S_IFMT == kind && found.st_uid == geteuid()
        && found.st_mode & othersWrite == 0
}

/// The permissions of group and others to write.
public let othersWrite = S_IWGRP | S_IWOTH
