import PotluckKit
import Testing

@testable import Potluck
@testable import PotluckCommand
@testable import PotluckCore

/// Tables that users write by hand or get from other programs.
@Suite struct TableFileTests {
    private func table(_ text: String) throws(Failure) -> Table {
        try TableFile.table(Array(text.utf8), label: "a.txt")
    }

    /// The number of columns may follow from a dishonest node's tally.
    @Test func onlyWholeRowsAreRows() {
        #expect(RunOutput.isRows(0, columns: 0, atMost: 4) && !RunOutput.isRows(8, columns: 0, atMost: 4))
        #expect(RunOutput.isRows(48, columns: 2, atMost: 3) && !RunOutput.isRows(48, columns: 2, atMost: 2))
        #expect(!RunOutput.isRows(40, columns: 2, atMost: 3))
        for columns in [UInt64.max / 8, UInt64.max / 8 - 1, 1 << 60] {
            #expect(!RunOutput.isRows(64, columns: columns, atMost: .max))
        }
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
    func aMistakeIsNamedWithItsLine(text: String, message: String) {
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

    /// What `DecimalNumber` reads has the bits that `Double` gives it; the rest is left to `Double`.
    @Test func numbersAreRoundedOnce() throws {
        var random = SeededGenerator(seed: 85)
        let alphabet = Array("00112233445566778899.eE+-".utf8)
        var read = 0
        for round in 0..<20_000 {
            var octets: [UInt8] = []
            if round % 2 == 0 {
                for _ in 0..<random.next(below: 9) { octets.append(alphabet[Int(random.next(below: 25))]) }
            } else {
                let digits = Array(String(random.next() >> random.next(below: 64)).utf8)
                octets = digits
                octets.insert(UInt8(ascii: "."), at: Int(random.next(below: UInt64(digits.count + 1))))
                octets += Array("e\(Int(random.next(below: 61)) - 30)".utf8)
            }
            let found = Self.read(octets)
            guard let found else { continue }
            read += 1
            let text = String(decoding: octets, as: UTF8.self)
            #expect(Double(text)?.bitPattern == found.bitPattern, "\(text)")
        }
        #expect(read > 10_000)
        // Halfway between two numbers, and close to it.
        for text in [
            "9007199254740993", "9007199254740993.1", "9007199254740995e0", "900719925474099300e-2", "1e23", "8.5e-26",
        ] {
            #expect(Self.read(Array(text.utf8)) == Double(text), "\(text)")
        }
        #expect(Self.read(Array("-0".utf8))?.sign == .minus)
        for text in ["", ".", "-", "1e", "e5", "1e1000", "12345678901234567890", "1e28"] {
            #expect(Self.read(Array(text.utf8)) == nil, "\(text)")
        }
    }

    /// Returns nil unless all octets are one number of an ordinary form.
    private static func read(_ octets: [UInt8]) -> Double? {
        octets.withUnsafeBufferPointer { octets in
            guard let start = octets.baseAddress else { return nil }
            let end = start + octets.count
            guard let (number, after) = DecimalNumber.read(start, end: end), after == end else { return nil }
            return number
        }
    }

    /// Numbers of rare forms stand among ordinary ones, at the end of a file, too.
    @Test func rareForms() throws {
        #expect(
            try table("5e-324 1e300\n00000000000000000000000012 0.1234567890123456789012").numbers
                == [.leastNonzeroMagnitude, 1e300, 12, 0.1234567890123456789012])
    }

    /// Numbers are written as `Double` describes them, but whole ones without a point.
    @Test func numbersAreWrittenInFewDigits() {
        var random = SeededGenerator(seed: 86)
        var numbers: [Double] = [
            0, -0.0, .infinity, -.infinity, .nan, 0x1p53, 0x1p54, 1e-4, 9.999e-5, 0.5, 1e22, .leastNonzeroMagnitude,
        ]
        for exponent in -15...55 {
            let power = Double(sign: .plus, exponent: exponent, significand: 1)
            numbers += [power, power.nextUp, -power.nextDown]
            for _ in 0..<100 { numbers.append(power * (Double(random.next() >> 11) * 0x1p-53)) }
        }
        for _ in 0..<3000 {
            numbers.append(Double(bitPattern: random.next()))
            numbers.append(Double(random.next(below: 1_000_000)) / [3, 7, 8, 10, 1000][Int(random.next(below: 5))])
        }
        for number in numbers {
            let text = [UInt8](unsafeUninitializedCapacity: DecimalText.longest) { text, count in
                guard let start = text.baseAddress else { return }
                count = DecimalText.write(number, at: start) - start
            }
            let wanted = number.description
            #expect(
                String(decoding: text, as: UTF8.self) == (wanted.hasSuffix(".0") ? String(wanted.dropLast(2)) : wanted))
        }
    }
}
