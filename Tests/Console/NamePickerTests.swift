import Testing

@testable import PotluckScreen

/// The grid of names with switches.
@Suite struct NamePickerTests {
    private let canvas = Canvas(columns: 40, rows: 24, unicode: true, colour: false)
    private static let airports = ["AMS", "ANC", "BCN", "JFK", "LHR", "NBO", "SYD"]

    private func lines(_ picker: inout NamePicker, _ canvas: Canvas? = nil) -> [String] {
        picker.lines(on: canvas ?? self.canvas).map { $0.rendered(on: canvas ?? self.canvas) }
    }

    @Test func switchesAreShownWhereTheCursorIs() {
        var picker = NamePicker("airports", Self.airports, on: 0b1001)
        let first = lines(&picker)
        #expect(
            first.prefix(4) == [
                "airports: 2 of 7", ">[x] AMS   [ ] ANC   [ ] BCN   [x] JFK", " [ ] LHR   [ ] NBO   [ ] SYD",
                "Arrow keys move, Space switches, letters",
            ])
        for key in [.down, .right, .character(" "), .up, .character(" ")] as [ViewKey] {
            let isDone = picker.press(key)
            #expect(!isDone)
        }
        #expect(picker.slot == 0b10_1011)
        let second = lines(&picker)
        #expect(second[1] == " [x] AMS  >[x] ANC   [ ] BCN   [x] JFK")
        let isDone = picker.press(.enter)
        #expect(isDone)
    }

    /// Letters go to the first name that begins with them; letters that begin none begin anew.
    @Test func lettersFindNames() {
        var picker = NamePicker("airports", Self.airports, on: 0)
        for (keys, slot) in [("an ", 0b10), ("anlh ", 0b1_0010), ("zs ", 0b101_0010), ("j ", 0b101_1010)] {
            for key in keys { _ = picker.press(.character(key)) }
            #expect(picker.slot == UInt64(slot), "\(keys)")
        }
    }

    @Test func allAreSwitchedAtOnce() {
        let names = (0..<64).map { "N\($0)" }
        var picker = NamePicker("names", names, on: 1)
        _ = picker.press(.character("*"))
        #expect(picker.slot == .max)
        _ = picker.press(.character("*"))
        #expect(picker.slot == 0)
    }

    /// No key leaves the grid, whatever its width, and the lines fit the screen and have the cursor.
    @Test func theCursorStaysInSight() {
        let keys: [ViewKey] = [.up, .down, .left, .right, .home, .end, .pageUp, .tab, .escape, .backspace]
        let names = (0..<61).map { "N\($0)" }
        var state: UInt64 = 7
        for (columns, rows) in [(80, 24), (12, 10), (9, 4), (1, 1), (200, 5)] {
            let canvas = Canvas(columns: columns, rows: rows, unicode: false, colour: false)
            var picker = NamePicker("names", names, on: 0)
            for _ in 0..<300 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                _ = picker.press(keys[Int(state >> 40) % keys.count])
                let shown = lines(&picker, canvas)
                #expect(shown.count <= max(2, rows - 1))
                #expect(columns < 9 || shown.contains { $0.contains(">") }, "\(shown)")
            }
        }
    }

    /// Why names cannot be used is said until the next key.
    @Test func aProblemIsShown() {
        var picker = NamePicker("airports", Self.airports, on: 1)
        picker.problem = "two are needed"
        let (said, _) = (lines(&picker), picker.press(.right))
        let after = lines(&picker)
        #expect(said.last == "two are needed" && after.last?.contains("Ctrl-C") == true)
    }
}
