import Testing

@testable import PotluckScreen

/// The QR code on a terminal.
@Suite struct QRViewTests {
    /// Three dark squares, and six light ones.
    private let matrix = QRMatrix(
        size: 3, isDark: [true, false, true, false, false, false, false, true, false])

    private func canvas(_ columns: Int, _ rows: Int? = nil, colour: Bool = true, unicode: Bool = true) -> Canvas {
        Canvas(columns: columns, rows: rows, unicode: unicode, colour: colour)
    }

    private func texts(_ lines: [StyledLine]) -> [String] { lines.map { $0.pieces.map(\.text).joined() } }

    @Test func lightModulesArePainted() {
        #expect(
            texts(QRView.lines(matrix, on: canvas(7))) == [
                "███████", "██▄█▄██", "███▄███", "▀▀▀▀▀▀▀",
            ])
    }

    @Test func bothColoursAreSet() {
        let line = QRView.lines(matrix, on: canvas(7))[0]
        #expect(line.rendered(on: canvas(7)) == "\u{1b}[97;40m███████\u{1b}[0m")
    }

    @Test func theCodeIsAsLargeAsItFits() {
        #expect(QRView.lines(matrix, on: canvas(6)).isEmpty)
        #expect(QRView.lines(matrix, on: canvas(80, 3)).isEmpty)
        #expect(QRView.lines(matrix, on: canvas(80, 4)).count == 4)
        let double = texts(QRView.lines(matrix, on: canvas(14, 7)))
        #expect(double.count == 7 && double.allSatisfy { $0.count == 14 })
        #expect(double[2] == "████  ██  ████" && double[4] == "██████  ██████")
        #expect(QRView.lines(matrix, on: canvas(200, 200)).count == 14)
    }

    @Test func withoutColoursOnlyTheAddressIsShown() {
        let page = SessionPicture.Page(address: "http://10.0.0.5:7077/#x", code: matrix)
        for plain in [canvas(80, 24, colour: false), canvas(80, 24, unicode: false)] {
            #expect(QRView.lines(matrix, on: plain).isEmpty)
            #expect(
                texts(QRView.lines(page, room: 20, on: plain)).first
                    == "Open this in a browser: http://10.0.0.5:7077/#x")
        }
    }

    @Test func aKeyShowsTheCodeAndAnyKeyGoesBack() {
        let page = SessionPicture.Page(address: "http://10.0.0.5:7077/#x", viewers: ["ana", "ben"], code: matrix)
        let picture = ClusterPicture(session: SessionPicture(title: "Serving Monty", page: page))
        let view = ClusterView(picture, now: .start, on: canvas(80, 24))
        var state = ViewState()
        let normal = texts(view.lines(state))
        #expect(normal.contains("Page: http://10.0.0.5:7077/#x   2 viewers: ana, ben"))
        #expect(state.press(.character("w"), on: view) == nil && state.showsPage)
        let shown = view.lines(state)
        #expect(texts(shown).contains { $0.contains("██    ██") } && texts(shown).last == "any key goes back")
        #expect(shown.count < 24)
        #expect(state.press(.character("w"), on: view) == nil && !state.showsPage)
    }
}
