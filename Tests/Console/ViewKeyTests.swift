import PotluckScreen
import Testing

@Suite struct ViewKeyTests {
    private func keys(_ reads: String...) -> [ViewKey] {
        var parser = KeyParser()
        return reads.flatMap { parser.keys(Array($0.utf8)) }
    }

    @Test(arguments: [
        ("\u{1b}[A", ViewKey.up), ("\u{1b}OA", .up), ("\u{1b}[B", .down), ("\u{1b}[1;5C", .right), ("\u{1b}[D", .left),
        ("\u{1b}[5~", .pageUp), ("\u{1b}[6~", .pageDown), ("\u{1b}[6;2~", .pageDown), ("\u{1b}[H", .home),
        ("\u{1b}OF", .end), ("\u{1b}[1~", .home), ("\u{1b}[8~", .end), ("\t", .tab), ("\u{1b}[Z", .backTab),
        ("\r", .enter), ("\n", .enter), ("\u{7f}", .backspace), ("\u{8}", .backspace), ("\u{1b}", .escape),
        ("\u{c}", .control("l")), ("?", .character("?")), ("é", .character("é")), ("中", .character("中")),
    ])
    func aKey(_ octets: String, _ key: ViewKey) { #expect(keys(octets) == [key]) }

    /// An arrow key in two pieces is still an arrow. If its escape was reported as a key first, that only goes back.
    @Test func anArrowInPieces() {
        #expect(keys("\u{1b}", "[A") == [.escape, .up])
        #expect(keys("\u{1b}[", "A") == [.up])
        #expect(keys("\u{1b}[1;", "5A", "y") == [.up, .character("y")])
        #expect(keys("\u{1b}", "y") == [.escape, .character("y")])
        #expect(keys("\u{1b}\u{1b}[A") == [.escape, .up])
        #expect(keys("\u{1b}", "\u{1b}", "n") == [.escape, .escape, .character("n")])
    }

    /// Unsupported keys produce nothing, not even letters.
    @Test func functionKeysAreNothing() {
        #expect(keys("\u{1b}[15~y") == [.character("y")])
        #expect(keys("\u{1b}[[Ay") == [.character("y")])
        #expect(keys("\u{1b}OPy") == [.character("y")])
        #expect(keys("\u{1b}[" + String(repeating: "9", count: 1000) + "~y") == [.character("y")])
        #expect(keys("\u{1b}[12\ny") == [.enter, .character("y")])
    }

    /// The same bytes give the same keys, however they are cut, except for escapes.
    @Test func anyCuttingGivesTheSameKeys() {
        let pieces: [[UInt8]] = ["\u{1b}", "[", "O", "A", "1;5", "~", "y", "\n", "中", "\u{1b}[5~", "\u{1b}[[B"].map {
            Array($0.utf8)
        }
        for seed in 0..<2000 as Range<UInt64> {
            var dice = Dice(seed: seed)
            var octets: [UInt8] = []
            for _ in 0..<dice.below(20) {
                octets += dice.below(5) == 0 ? [UInt8(truncatingIfNeeded: dice.next())] : dice.pick(pieces)
            }
            var whole = KeyParser()
            var cut = KeyParser()
            let expected = whole.keys(octets).filter { $0 != .escape }
            var found: [ViewKey] = []
            var rest = octets[...]
            while !rest.isEmpty {
                let count = 1 + dice.below(rest.count)
                found += cut.keys(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(found.filter { $0 != .escape } == expected, "seed \(seed): \(octets)")
        }
    }
}
