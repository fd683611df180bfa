import Foundation
import PotluckCore
import Testing

@testable import PotluckCommand

/// `potluck bench` measures a store of its own and removes it.
@Suite struct BenchCommandTests {
    private let folder = NSTemporaryDirectory() + "potluck-bench-" + UUID().uuidString

    @Test func aSmallStoreIsMeasuredAndRemoved() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let program = EndToEndTests()
        let line = ["bench", "history", "--size", "1MB", "--for", "100ms", "--state", folder]
        let text = try program.run(line + ["--price", "500"], environment: [:])
        #expect(text.code == 0 && text.stderr == "", "\(text.stderr)")
        #expect(text.stdout.contains("transactions a minute in all") && text.stdout.contains("is the price of one"))
        let found = try JSONSerialization.jsonObject(
            with: Data(try program.run(line + ["--json"], environment: [:]).stdout.utf8))
        let measured = try #require(found as? [String: Any])
        let (bytes, runs) = (try #require(measured["bytes"] as? Int), try #require(measured["runs"] as? Int))
        #expect(bytes >= 1_000_000 && runs >= 500 && runs % 500 == 0)
        #expect((measured["course"] as? [Double])?.count == 10 && measured["price"] == nil)
        let (count, rate) = (
            try #require(measured["transactions"] as? Int), try #require(measured["perMinute"] as? Double)
        )
        #expect(count > 0 && abs(rate - Double(count) * 600) < 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test(arguments: [
        ("bench", "potluck: missing argument WHAT"), ("bench disk", "potluck: 'disk' cannot be measured"),
        (
            "bench history --size 20",
            "potluck: invalid value '20' for --size: not a size; use a size like 20MB or 1.5GB"
        ),
        ("bench history --size 200GB", "potluck: invalid value '200GB' for --size: must be at most 100GB"),
        ("bench history --price 0", "potluck: invalid value '0' for --price: must be a number above 0"),
    ])
    func wrongUsageIsRefused(_ line: String, _ message: String) throws {
        let outcome = try EndToEndTests().run(line)
        #expect(outcome.code == 2 && outcome.stderr.hasPrefix(message), "\(outcome.stderr)")
    }
}
