import Glibc

/// The names of what is in a folder, in no order and without the folder itself and the one above; none where it cannot be read.
public func names(inFolder path: String, atMost most: Int = .max) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while names.count < most, let entry = readdir(folder) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { raw in
            String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names
}

/// Makes a folder of this user's alone, with those that it is in. Whether it is there already, or cannot be made, shows in
/// what can be done in it.
public func makeFolders(_ path: String) {
    for end in path.indices.dropFirst() where path[end] == "/" { mkdir(String(path[..<end]), 0o700) }
    mkdir(path, 0o700)
}
