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

/// Makes a folder of this user's alone, with those that it is in. Gives back the C library's number for what stands in the way
/// of the first that cannot be made, 0 for nothing; whether it is there shows in what can be done in it.
@discardableResult
public func makeFolders(_ path: String) -> Int32 {
    var obstacle: Int32 = 0
    for end in path.indices.dropFirst().filter({ path[$0] == "/" }) + [path.endIndex]
    where mkdir(String(path[..<end]), 0o700) != 0 && errno != EEXIST && obstacle == 0 { obstacle = errno }
    return obstacle
}
