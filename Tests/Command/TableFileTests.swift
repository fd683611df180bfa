import PotluckKit
import Testing

@testable import PotluckCommand

/// Tables that users write by hand or get from other programs.
@Suite struct TableFileTests {
    private func table(_ text: String) throws(Failure) -> Table {
        try TableFile.table(Array(text.utf8), label: "a.txt")
    }

    @Test func rowsAndColumns() throws {
        let expected = Table(rows: 2, columns: 3, numbers: [1, -2.5, 3e10, 4, 5, 6])
        for text in ["1 -2.5 3e10\n4 5 6\n", "1,-2.5,3e10\r\n4, 5, 6", "\n\n1\t-2.5\t3e10\n\n 4 5 6 \n\n"] {
            #expect(try table(text) == expected)
        }
    }

    @Test(arguments: ["a b\n1 2\n3 4\n", "\u{feff}door,\"price\"\r\n1,2\r\n3,4\r\n", "\n# width height\n1 2\n3 4\n"])
    func namesInTheFirstLineAreNoRow(text: String) throws {
        #expect(try table(text) == Table(rows: 2, columns: 2, numbers: [1, 2, 3, 4]))
    }

    @Test(arguments: [
        ("a b\nc d\n1 2\n", "a.txt, line 2: 'c' is not a number"),
        ("a 1\n1 2\n", "a.txt, line 1: 'a' is not a number"),
        ("1.5x\n1\n", "a.txt, line 1: '1.5x' is not a number"),
        ("a b\n", "a.txt has no numbers"),
        ("1 2\n3\n", "a.txt, line 2: expected 2 numbers as in line 1, found 1"),
        ("\n1 2\n3 x4\n", "a.txt, line 3: 'x4' is not a number"),
        ("nan\n", "a.txt, line 1: 'nan' is not a number"),
        ("0x10\n", "a.txt, line 1: '0x10' is not a number"),
        ("1e999\n", "a.txt, line 1: '1e999' is not a number"),
        ("\n \n", "a.txt has no numbers"),
        ("", "a.txt has no numbers"),
    ])
    func whatIsWrongIsSaidWithItsLine(text: String, message: String) {
        do {
            _ = try table(text)
            Issue.record("\(text) was taken")
        } catch {
            #expect(error.message == message)
        }
    }

    /// Numbers are written with all their digits.
    @Test func rowsAsText() {
        let numbers = [30, 0.1, -1e300, 1.0 / 3]
        let octets = numbers.flatMap { number in withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) } }
        let text = String(decoding: RunOutput.text(of: octets, columns: 2), as: UTF8.self)
        #expect(text == "30 0.1\n-1e+300 0.3333333333333333\n")
    }
}
