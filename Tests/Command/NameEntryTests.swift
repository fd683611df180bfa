import Potluck
import Testing

@testable import PotluckCommand

/// The question for a name where the machine's name is nobody's.
@Suite struct NameEntryTests {
    @Test func systemsNamesAreNobodys() {
        for name in [
            "ubuntu", "Ubuntu-2204", "debian12", "localhost", "localhost.localdomain", "DESKTOP-7HK2", "pop-os",
        ] {
            #expect(Machine.isNobodys(name), "\(name)")
        }
        for name in ["ana", "anas-laptop", "lab-07", "linus", "mintha", "ubuntuana", "", "12"] {
            #expect(!Machine.isNobodys(name), "\(name)")
        }
    }

    /// What the user types, line by line, and what comes of it.
    @Test(
        arguments: [
            (["ana"], "ana"), (["  Ana Maria "], "Ana Maria"), ([""], nil), (["  "], nil), ([], nil),
            ([String(repeating: "x", count: 64), "ana"], "ana"), (["a\u{1b}[2J", ""], nil),
        ] as [([String], String?)])
    func aValidNameIsTaken(lines: [String], name: String?) {
        var (rest, prompts): (ArraySlice<String>, [String]) = (lines[...], [])
        let typed = NameEntry.ask("ubuntu") { prompt in
            prompts.append(prompt)
            return rest.popFirst()
        }
        #expect(typed == name && rest.isEmpty)
        #expect(prompts.first == "Your name, as others will see it (Enter keeps ubuntu): ")
        #expect(prompts.dropFirst().allSatisfy { $0.hasPrefix("That is not a name of 1 to 63 bytes") })
    }
}
