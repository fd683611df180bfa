import Glibc
import PotluckScreen
import Testing

@testable import Potluck
@testable import PotluckCommand

@Suite struct ScreenTests {
    /// A screen that is cleared ignores a late drawing, and the terminal stays as it was found.
    @Test func aClearedScreenIgnoresDrawings() throws {
        let terminal = try PseudoTerminal(columns: 80)
        let descriptor = open(terminal.name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(descriptor) }
        let screen = Screen(descriptor)
        screen.draw { _ in [StyledLine("one")] }
        terminal.reader.read { $0.contains("one") }
        #expect(!terminal.echoes)
        screen.clear()
        #expect(terminal.echoes)
        screen.draw { _ in [StyledLine("two")] }
        #expect(terminal.echoes)
    }
}
