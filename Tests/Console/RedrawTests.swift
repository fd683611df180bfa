import PotluckConsole
import Testing

@Suite struct RedrawTests {
    private let canvas = Canvas(columns: 10, rows: 5, unicode: true, colour: false)

    @Test func theSecondPictureIsDrawnOverTheFirst() {
        var redraw = Redraw()
        #expect(redraw.frame([Line("a"), Line("b")], on: canvas) == "\r\u{1b}[2Ka\n\u{1b}[2Kb\n\u{1b}[J")
        #expect(redraw.frame([Line("c")], on: canvas) == "\r\u{1b}[2A\u{1b}[2Kc\n\u{1b}[J")
        #expect(redraw.erase(on: canvas) == "\r\u{1b}[1A\u{1b}[J")
        #expect(redraw.erase(on: canvas) == "")
    }

    /// A terminal that became narrower has broken each line into several.
    @Test func aNarrowerTerminalIsClearedWhole() {
        var redraw = Redraw()
        _ = redraw.frame([Line("0123456789"), Line("01234")], on: canvas)
        let narrow = Canvas(columns: 4, rows: 20, unicode: true, colour: false)
        #expect(redraw.erase(on: narrow) == "\r\u{1b}[5A\u{1b}[J")
    }

    @Test func whatScrolledAwayIsNotReachedFor() {
        var redraw = Redraw()
        _ = redraw.frame([Line](repeating: Line("x"), count: 4), on: canvas)
        let low = Canvas(columns: 10, rows: 3, unicode: true, colour: false)
        #expect(redraw.erase(on: low) == "\r\u{1b}[2A\u{1b}[J")
    }

    @Test func whatOthersWroteStays() {
        var redraw = Redraw()
        _ = redraw.frame([Line("a")], on: canvas)
        redraw.forget()
        #expect(redraw.frame([Line("b")], on: canvas) == "\r\u{1b}[2Kb\n\u{1b}[J")
    }
}
