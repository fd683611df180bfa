import PotluckCatalogue
import PotluckChecks
import PotluckKit
import Testing

enum Catalogued {
    static let names = catalogue.map(\.name)
}

/// The names and texts of every simulation can be shown and typed.
@Suite struct DescriptionTests {
    private func isTypable(_ name: String) -> Bool {
        !name.isEmpty && name.first != "-" && name.last != "-"
            && name.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }
    }

    private func isLine(_ text: String) -> Bool { (5...78).contains(text.count) && !text.contains("\n") }

    @Test func names() {
        #expect(Catalogued.names == Catalogued.names.sorted() && Set(Catalogued.names).count == catalogue.count)
        for simulation in catalogue {
            #expect(isTypable(simulation.name) && isLine(simulation.summary), "\(simulation.name)")
            #expect(simulation.source.count == 64 && simulation.source.allSatisfy(\.isHexDigit))
            let parameters = simulation.parameters.map(\.name.description)
            #expect(parameters.allSatisfy(isTypable) && Set(parameters).count == parameters.count)
            #expect(simulation.parameters.allSatisfy { isLine($0.help.description) }, "\(simulation.name)")
            let readings = simulation.readings.map(\.name)
            #expect(!readings.isEmpty && Set(readings).count == readings.count)
            let fields = simulation.layout.fields.map(\.name)
            #expect(Set(fields).count == fields.count && simulation.layout.slots <= 100)
        }
        #expect(Set(catalogue.map(\.source)).count == catalogue.count)
    }

    /// At every corner of its parameters' ranges, a simulation either reports an error or has valid blocks and
    /// readings.
    @Test(arguments: Cases.plain) func corners(each: Case) throws {
        var corners: [[UInt64]] = [[]]
        for parameter in each.simulation.parameters {
            let ends: [UInt64] =
                switch parameter.domain {
                case .integer(let range): [range.lowerBound, range.upperBound].map { UInt64(bitPattern: $0) }
                case .real(let range): [range.lowerBound.bitPattern, range.upperBound.bitPattern]
                case .choice(let names): [0, UInt64(names.count - 1)]
                case .flag: [0, 1]
                case .several(_, let count): [count.lowerBound, count.upperBound].map { .max >> UInt64(64 - $0) }
                }
            corners = corners.flatMap { corner in (ends + [parameter.standard]).map { corner + [$0] } }
        }
        var runnable = 0
        for corner in corners {
            let prepared: PreparedSimulation
            do {
                prepared = try each.simulation.prepared(corner)
            } catch {
                guard case .conflict(let problem) = error else { throw error }
                #expect(isLine(problem))
                continue
            }
            runnable += 1
            let empty = [UInt64](repeating: 0, count: prepared.layout.slots)
            for reading in prepared.read(empty, 0) {
                guard let exact = reading.exact else { continue }
                #expect(exact.isFinite, "\(reading.name) at \(corner)")
                if reading.kind == .proportion { #expect((0...1).contains(exact), "\(reading.name) at \(corner)") }
            }
        }
        #expect(runnable > 0)
    }
}
