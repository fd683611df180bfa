/// A value that a user may set before a run: an integer, a real number, a choice, a flag, or several names of a list.
///
///     @Parameter("doors", "doors to choose from", in: 3...100) var doors = 3
///
/// A value is transferred as one 8-byte slot, in order of declaration. An `Int` has 32 bits in a module, so its range must
/// fit in them. Declare a larger number as `Int64`.
@propertyWrapper @frozen public struct Parameter<Value: Sendable>: Sendable {
    @usableFromInline let value: Value

    /// The value of this run: the user's, or the default.
    @inlinable public var wrappedValue: Value { value }
}

/// The cases of a choice parameter, with the names that users type.
public protocol ParameterChoice: CaseIterable, Sendable where AllCases == [Self] {
    /// The name of this case that users type.
    var name: StaticString { get }
}

extension Parameter where Value == Int {
    /// Declares an integer. The default and both ends of the range must fit in 32 bits.
    public init(wrappedValue: Int, _ name: StaticString, _ help: StaticString, in range: ClosedRange<Int>) {
        Misuse.stop(
            unless: Int32(exactly: range.lowerBound) != nil && Int32(exactly: range.upperBound) != nil,
            "a parameter with more than 32 bits must be an Int64")
        let domain = ParameterDomain.integer(Int64(range.lowerBound)...Int64(range.upperBound))
        let slot = ParameterReader.take(name, help, domain, standard: UInt64(bitPattern: Int64(wrappedValue)))
        value = Int(truncatingIfNeeded: Int64(bitPattern: slot))
    }
}

extension Parameter where Value == Int64 {
    /// Declares an integer of 64 bits.
    public init(wrappedValue: Int64, _ name: StaticString, _ help: StaticString, in range: ClosedRange<Int64>) {
        let slot = ParameterReader.take(name, help, .integer(range), standard: UInt64(bitPattern: wrappedValue))
        value = Int64(bitPattern: slot)
    }
}

extension Parameter where Value == Double {
    /// Declares a real number.
    public init(wrappedValue: Double, _ name: StaticString, _ help: StaticString, in range: ClosedRange<Double>) {
        let slot = ParameterReader.take(name, help, .real(range), standard: wrappedValue.bitPattern)
        value = Double(bitPattern: slot)
    }
}

extension Parameter where Value == Bool {
    /// Declares a flag, which is on or off.
    public init(wrappedValue: Bool, _ name: StaticString, _ help: StaticString) {
        value = ParameterReader.take(name, help, .flag, standard: wrappedValue ? 1 : 0) != 0
    }
}

extension Parameter where Value: ParameterChoice {
    /// Declares a choice among the cases of `Value`.
    public init(wrappedValue: Value, _ name: StaticString, _ help: StaticString) {
        let cases = Value.allCases
        for (place, each) in cases.enumerated() {
            Misuse.stop(
                unless: !cases[..<place].contains { $0.name.isSame(as: each.name) }, "a choice has the same name twice")
        }
        var standard = 0
        for index in cases.indices where cases[index].name.isSame(as: wrappedValue.name) { standard = index }
        let names = cases.map { ParameterLabel(of: $0.name) }
        let slot = ParameterReader.take(name, help, .choice(names), standard: UInt64(standard))
        value = cases[Int(slot)]
    }
}

/// The values that a parameter may have.
public enum ParameterDomain: Sendable {
    /// An integer from the range. Its slot has the two's complement.
    case integer(ClosedRange<Int64>)
    /// A real number from the range. Its slot has the bit pattern.
    case real(ClosedRange<Double>)
    /// One of the names. Its slot has the index.
    case choice([ParameterLabel])
    /// Yes or no. Its slot has 1 or 0.
    case flag
    /// Several of the names, at most 64. Its slot has bit n for name n.
    case several([ParameterLabel], count: ClosedRange<Int>)

    /// Returns whether the slot holds a value of this domain.
    public func contains(_ slot: UInt64) -> Bool {
        switch self {
        case .integer(let range): range.contains(Int64(bitPattern: slot))
        case .real(let range): range.contains(Double(bitPattern: slot))
        case .choice(let names): slot < UInt64(names.count)
        case .flag: slot <= 1
        case .several(let names, let count):
            slot >> UInt64(names.count) == 0 && count.contains(slot.nonzeroBitCount)
        }
    }
}

#if hasFeature(Embedded)
    /// A module's only names are the literals in its source.
    public typealias ParameterLabel = StaticString

    extension ParameterLabel {
        init(of text: StaticString) { self = text }
    }
#else
    /// A program that runs modules reads names from them.
    public typealias ParameterLabel = String

    extension ParameterLabel {
        init(of text: StaticString) { self = text.description }
        func isSame(as other: String) -> Bool { self == other }
    }
#endif

/// A declared parameter.
public struct ParameterDescription: Sendable {
    /// The name that users type in `-p NAME=VALUE`.
    public let name: ParameterLabel
    /// A description of a few words.
    public let help: ParameterLabel
    /// The values that it may have.
    public let domain: ParameterDomain
    /// The slot of the default value.
    public let standard: UInt64

    /// Creates a description. `standard` is the slot of the default value.
    public init(name: ParameterLabel, help: ParameterLabel, domain: ParameterDomain, standard: UInt64) {
        self.name = name
        self.help = help
        self.domain = domain
        self.standard = standard
    }
}

/// Collects the parameters of a simulation or gathering while its `init()` runs, and supplies the given values.
///
/// Embedded Swift has no reflection, so each `Parameter` registers itself with the
/// current reader, in order of declaration.
final class ParameterReader {
    /// The slots of the given values; nil to use the defaults.
    private let given: [UInt64]?
    private(set) var declared: [ParameterDescription] = []
    /// The index of the first parameter whose given value is outside its domain; nil if there is none.
    private(set) var refused: Int?

    private init(given: [UInt64]?) { self.given = given }

    /// Creates an `S` with the given parameters, or with the defaults, and returns the reader with what `S` declared.
    static func make<S: Work>(_: S.Type, given: [UInt64]? = nil) -> (simulation: S, reader: ParameterReader) {
        let reader = ParameterReader(given: given)
        return (withCurrent(reader) { S() }, reader)
    }

    /// The same for a program with ranks.
    static func make<P: RankProgram>(_: P.Type, given: [UInt64]? = nil) -> (program: P, reader: ParameterReader) {
        let reader = ParameterReader(given: given)
        return (withCurrent(reader) { P() }, reader)
    }

    /// Registers a parameter with the current reader and returns the slot of its value. Returns the default if there is
    /// no current reader or no given value, or if the given value is outside its domain.
    static func take(
        _ name: StaticString, _ help: StaticString, _ domain: ParameterDomain, standard: UInt64
    ) -> UInt64 {
        Misuse.stop(unless: domain.contains(standard), "a parameter's default is outside its range")
        guard let reader = current else { return standard }
        let index = reader.declared.count
        reader.declared.append(
            ParameterDescription(
                name: ParameterLabel(of: name), help: ParameterLabel(of: help), domain: domain, standard: standard))
        guard let given = reader.given, index < given.count else { return standard }
        if domain.contains(given[index]) { return given[index] }
        if reader.refused == nil { reader.refused = index }
        return standard
    }

    #if hasFeature(Embedded)
        // A module has only one thread.
        nonisolated(unsafe) private static var current: ParameterReader?

        private static func withCurrent<R>(_ reader: ParameterReader, _ body: () -> R) -> R {
            current = reader
            defer { current = nil }
            return body()
        }
    #else
        /// Task-local, so that two threads can create simulations at the same time.
        /// Only the task that sets it reads it.
        private struct Box: @unchecked Sendable { let reader: ParameterReader }
        @TaskLocal private static var box: Box?
        private static var current: ParameterReader? { box?.reader }

        private static func withCurrent<R>(_ reader: ParameterReader, _ body: () -> R) -> R {
            $box.withValue(Box(reader: reader), operation: body)
        }
    #endif
}

extension StaticString {
    func isSame(as other: StaticString) -> Bool {
        guard utf8CodeUnitCount == other.utf8CodeUnitCount else { return false }
        for index in 0..<utf8CodeUnitCount where utf8Start[index] != other.utf8Start[index] { return false }
        return true
    }
}
