import Testing

@testable import PotluckSandbox

/// Where the library is looked for.
@Suite struct LibraryTests {
    private func find(_ program: String, _ files: Set<String>, named: String? = nil) -> String? {
        try? Wasmtime.find(program: program, named: named) { files.contains($0) }.get()
    }

    @Test func besideTheProgramThenInTheSystemThenWhereItWasBuilt() {
        let beside = "/x/potluck-1/lib/potluck/libwasmtime.so"
        let system = "/usr/local/lib/potluck/libwasmtime.so"
        let built = "/x/.build/wasmtime/\(Wasmtime.version)/libwasmtime.so"
        #expect(find("/x/potluck-1/bin/potluck", [beside, system]) == beside)
        #expect(find("/usr/bin/potluck", ["/usr/lib/potluck/libwasmtime.so"]) == "/usr/lib/potluck/libwasmtime.so")
        #expect(find("/y/bin/potluck", [beside, system]) == system)
        #expect(find("/x/.build/x86_64/debug/potluck", [built]) == built)
        #expect(find("/x/.build/strict/x86_64/debug/potluck", [built]) == built)
        #expect(find("/x/bin/potluck", [built]) == nil)
    }

    @Test func whatIsNamedIsMeant() {
        let files: Set<String> = ["/x/lib/potluck/libwasmtime.so", "/mine.so"]
        #expect(find("/x/bin/potluck", files, named: "/mine.so") == "/mine.so")
        #expect(find("/x/bin/potluck", files, named: "/none.so") == nil)
    }

    @Test func aLibraryThatIsNoneIsOneLine() {
        guard
            case .failure(let error) = Wasmtime.find(
                program: "/x/bin/potluck", named: "/none.so", isThere: { _ in false })
        else { return #expect(Bool(false)) }
        #expect(error.reason.contains("no file /none.so") && error.reason.contains("make deps"))
        #expect(!error.reason.contains("\n"))
    }
}
