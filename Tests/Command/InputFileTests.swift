import PotluckKit
import Testing

@testable import Potluck
@testable import PotluckCore

/// Columns that an input takes by their names, and files of NumPy.
@Suite struct InputFileTests {
    private func table(_ text: String, _ columns: String...) throws(Failure) -> Table {
        try TableFile.table(Array(text.utf8), label: "a.csv", columns: columns)
    }

    @Test(arguments: [
        "name,\"height, m\",weight\r\n\"Ada, \"\"x\"\"\",1.5,2\n\nBob,1e3,-3\n",
        "\u{feff}height, m;weight;name\n1.5;2;a, b\n1e3; -3 ;",
        "# \"height, m\" weight\n1.5 2\n1e3 -3\n",
        "weight\t\"height, m\"\n2\t1.5\n-3\t1e3\n",
    ])
    func columnsAreTakenByTheirNames(text: String) throws {
        #expect(try table(text, "height, m") == Table(rows: 2, columns: 1, numbers: [1.5, 1000]))
        #expect(try table(text, "weight", "height, m") == Table(rows: 2, columns: 2, numbers: [2, 1.5, -3, 1000]))
    }

    @Test func aFileWithoutNamesHasExactlyTheColumns() throws {
        #expect(try table("1 2\n3 4\n", "a", "b") == Table(rows: 2, columns: 2, numbers: [1, 2, 3, 4]))
        #expect(try table("blood pressure\n3\n", "blood pressure") == Table(rows: 1, columns: 1, numbers: [3]))
    }

    @Test(arguments: [
        ("1 2\n", "a.csv has no line of names, and its rows have 2 numbers instead of 1: 'height'"),
        ("hight,b\n1,2\n", "a.csv has no column 'height'; did you mean 'hight'?"),
        ("a,b\n1,2\n", "a.csv has no column 'height'; its columns are 'a' and 'b'"),
        ("height,height\n1,2\n", "a.csv, line 1: two columns are called 'height'"),
        ("height,b\n1\n", "a.csv, line 2: expected 2 cells as in line 1, found 1"),
        ("b,height\n\"x\ny\",1\n,NA\n", "a.csv, line 4: 'height' is 'NA', which is no number; leave out the line"),
        ("b,height\n1,\n", "a.csv, line 2: 'height' is empty; leave out the line"),
        ("height,b\n", "a.csv has no numbers"),
        ("", "a.csv has no numbers"),
    ])
    func aMistakeIsNamed(text: String, message: String) {
        do {
            _ = try table(text, "height")
            Issue.record("\(text) was taken")
        } catch {
            #expect(error.message == message)
        }
    }

    private func file(_ kind: String, _ shape: String, _ octets: [UInt8], version: UInt8 = 1, order: String = "False")
        -> [UInt8]
    {
        let text = "{'descr': '\(kind)', 'fortran_order': \(order), 'shape': \(shape), }\n"
        let length = [UInt8(text.utf8.count), 0] + (version == 1 ? [] : [0, 0])
        return [0x93] + "NUMPY".utf8 + [version, 0] + length + text.utf8 + octets
    }

    private func read(_ file: [UInt8]) throws(Failure) -> Table { try TableFile.table(file, label: "a.npy") }

    @Test(arguments: 1...3 as ClosedRange<UInt8>)
    func everyKindOfNumberIsRead(version: UInt8) throws {
        let reals = [1.5, -2].flatMap { (number: Double) in [number.bitPattern].octets }
        let singles = [1.5, -2].flatMap { (number: Float) in [UInt64(number.bitPattern)].octets.prefix(4) }
        let whole: [UInt8] = [1, 0, 0, 0] + [0xfe, 0xff, 0xff, 0xff]
        let long: [UInt8] = [1] + .init(repeating: 0, count: 7) + [0xfe] + .init(repeating: 0xff, count: 7)
        let cases: [(String, [UInt8], [Double])] = [
            ("<f8", reals, [1.5, -2]), ("<f4", singles, [1.5, -2]), ("<i4", whole, [1, -2]), ("<i8", long, [1, -2]),
            ("|u1", [1, 254], [1, 254]), ("|b1", [1, 0], [1, 0]),
        ]
        for (kind, octets, numbers) in cases {
            let column = try read(file(kind, "(2,)", octets, version: version))
            #expect(column == Table(rows: 2, columns: 1, numbers: numbers), "\(kind)")
            let row = try read(file(kind, "(1, 2)", octets, version: version))
            #expect(row == Table(rows: 1, columns: 2, numbers: numbers), "\(kind)")
        }
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        let numbers = (0..<12).map { Double($0) / 3 }
        let octets = numbers.map(\.bitPattern).octets
        for columns in [1, 3, 12] {
            let head = NumPyFile.head(rows: UInt64(12 / columns), columns: UInt64(columns))
            #expect(head.count % 64 == 0)
            #expect(try read(head + octets) == Table(rows: 12 / columns, columns: columns, numbers: numbers))
        }
    }

    @Test func anotherArrayIsRefused() {
        let one = [UInt8](repeating: 0, count: 8)
        let cases: [([UInt8], String)] = [
            (file(">f8", "(1,)", one), "numbers of another kind"),
            (file("<c16", "(1,)", one), "complex numbers; save a.real"), (file("<U3", "(1,)", one), "texts"),
            (file("|O", "(1,)", one), "Python objects"), (file("<M8[D]", "(1,)", one), "dates or times"),
            (file("<f8", "(1,)", one, order: "True"), "columns first"),
            (file("<f8", "()", one), "one or two dimensions"),
            (file("<f8", "(1, 1, 1)", one), "one or two dimensions"), (file("<f8", "(0,)", []), "no numbers"),
            (file("<f8", "(9999999999, 9999999999)", one), "too large"), (file("<f8", "(2,)", one), "is damaged"),
            (file("<f8", "(1,)", one, version: 4), "version 4"),
            (Array(file("<f8", "(1,)", one).prefix(20)), "cut off"),
            (file("<f8", "(1,)", [Double.nan.bitPattern].octets), "row 0, column 0: a table has finite numbers"),
            (file("<i8", "(1,)", [(1 << 53) + 1].octets), "whole numbers up to 2^53"),
        ]
        for (file, words) in cases {
            do {
                _ = try read(file)
                Issue.record("\(words): it was taken")
            } catch {
                #expect(error.message.contains(words), "\(error.message)")
            }
        }
    }
}
