import Glibc

/// Returns the names in a folder, in no particular order and without `.` and `..`. Returns none if it cannot be read.
public func names(inFolder path: String, atMost most: Int = .max) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    return names(inOpen: folder, atMost: most)
}

/// Returns the names in a folder that `opendir` or `fdopendir` opened.
public func names(inOpen folder: OpaquePointer, atMost most: Int = .max) -> [String] {
    var names: [String] = []
    while names.count < most, let entry = readdir(folder) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { raw in
            String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names
}

/// Creates a folder and its parents, accessible only to this user. Returns the error number of the first that could not
/// be created, or 0. A folder that exists is not an error; whether it is usable shows when it is used.
@discardableResult
public func makeFolders(_ path: String) -> Int32 {
    var obstacle: Int32 = 0
    for end in path.indices.dropFirst().filter({ path[$0] == "/" }) + [path.endIndex]
    where mkdir(String(path[..<end]), 0o700) != 0 && errno != EEXIST && obstacle == 0 { obstacle = errno }
    return obstacle
}
