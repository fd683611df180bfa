import Glibc

/// Measures the time of the command with one core and with two. Returns nil if the machine has only one.
func coreRatio(potluck: String, trials: String) -> (one: Double, two: Double)? {
    guard sysconf(Int32(_SC_NPROCESSORS_ONLN)) >= 2 else { return nil }
    let one = run(potluck: potluck, trials: trials, cores: 1)
    let two = run(potluck: potluck, trials: trials, cores: 2)
    guard one.digest == two.digest else { fail("one core gives \(one.digest), two give \(two.digest)") }
    return (one.elapsed, two.elapsed)
}

private func run(potluck: String, trials: String, cores: Int) -> (elapsed: Double, digest: String) {
    let command =
        "'\(potluck)' run monty-hall --trials \(trials) --seed 1 --cores \(cores) --ephemeral --json 2>/dev/null"
    guard let pipe = popen(command, "r") else { fail("cannot start \(potluck)") }
    var text = ""
    var buffer = [CChar](repeating: 0, count: 4096)
    while fgets(&buffer, Int32(buffer.count), pipe) != nil {
        text += String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    guard pclose(pipe) == 0, let elapsed = value("elapsed", in: text).flatMap(Double.init),
        let digest = value("digest", in: text)
    else { fail("\(command) gave: \(text)") }
    return (elapsed, digest)
}

/// Returns the value of `name` in a line of JSON.
private func value(_ name: String, in json: String) -> String? {
    guard let label = json.firstRange(of: "\"\(name)\":") else { return nil }
    let rest = json[label.upperBound...].drop { $0 == " " || $0 == "\"" }
    return String(rest.prefix { !",}\"\n".contains($0) })
}
