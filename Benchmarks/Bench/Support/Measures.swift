import Glibc

/// The time of a clock in seconds.
func seconds(_ clock: clockid_t) -> Double {
    var now = timespec()
    clock_gettime(clock, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
}

/// The time of a clock that runs while the machine sleeps, in seconds.
func boottime() -> Double { seconds(CLOCK_BOOTTIME) }

/// The resident memory of a process in bytes, and the part of it that is mapped from files. Both are 0 if there is no
/// such process.
func memory(of process: String = "self") -> (resident: Int, mapped: Int) {
    guard let file = fopen("/proc/\(process)/statm", "r") else { return (0, 0) }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), file) != nil else { return (0, 0) }
    let fields = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
        separator: " ")
    let page = Int(getpagesize())
    return ((Int(fields[1]) ?? 0) * page, (Int(fields[2]) ?? 0) * page)
}

/// Returns a function of a reference in C, which Benchmarks/run compiled.
func reference<Function>(_ name: String, in path: String, as type: Function.Type) -> Function {
    guard let library = dlopen(path, RTLD_NOW), let symbol = dlsym(library, name) else {
        fail("\(path) has no \(name): \(String(cString: dlerror()))")
    }
    return unsafeBitCast(symbol, to: type)
}
