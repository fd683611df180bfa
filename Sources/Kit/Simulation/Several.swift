/// Several names of a list: the value of a parameter for which users choose more than one.
///
///     @Parameter("toppings", "what is on the pizza", of: ["ham", "olives", "rocket"], count: 1...2)
///     var toppings: Several = ["ham"]
///
/// Users type the names with commas between them and in any order: `-p toppings=rocket,ham`. The value is transferred as
/// one slot, where bit n stands for name n of the list.
public struct Several: Sendable, ExpressibleByArrayLiteral {
    /// The chosen names, in the order of the list.
    public let names: [StaticString]
    /// The places of the chosen names in the list, from 0 and in rising order. Empty for a default that no parameter has
    /// taken yet.
    public let places: [Int]

    /// The number of chosen names.
    public var count: Int { names.count }
    /// Whether no name is chosen.
    public var isEmpty: Bool { names.isEmpty }

    /// Returns whether a name is chosen.
    public func contains(_ name: StaticString) -> Bool { names.contains { $0.isSame(as: name) } }

    /// The most names of a list: one for each bit of a slot.
    public static var most: Int { 64 }

    /// Creates the default of a parameter, in any order.
    public init(arrayLiteral names: StaticString...) {
        self.names = names
        places = []
    }

    init(_ slot: UInt64, of list: [StaticString]) {
        places = list.indices.filter { slot >> UInt64($0) & 1 == 1 }
        names = places.map { list[$0] }
    }
}

extension Parameter where Value == Several {
    /// Declares several names of a list, and how many a user may choose: any number, if `count` is left out.
    ///
    /// The list has 1 to 64 different names without commas or blanks. Users type `none` for no name and `all` for the
    /// whole list, so a list has no such names, and none that begins with `0x`.
    public init(
        wrappedValue: Several, _ name: StaticString, _ help: StaticString, of list: [StaticString],
        count: ClosedRange<Int> = 0...Several.most
    ) {
        let names = list.map { ParameterLabel(of: $0) }
        Misuse.stop(
            unless: list.count <= Several.most && (0...list.count).contains(count.lowerBound) && !list.isEmpty,
            "a list has 1 to 64 names, and at least as many as must be chosen")
        var standard: UInt64 = 0
        for (place, each) in list.enumerated() {
            Misuse.stop(
                unless: ParameterDomain.isName(each),
                "a name of a list is not empty, none or all, and has no comma or blank")
            Misuse.stop(
                unless: !list[..<place].contains { $0.isSame(as: each) }, "a list has the same name twice")
            if wrappedValue.contains(each) { standard |= 1 << UInt64(place) }
        }
        Misuse.stop(
            unless: standard.nonzeroBitCount == wrappedValue.count, "a parameter's default is not in its list")
        let domain = ParameterDomain.several(names, count: count.lowerBound...min(count.upperBound, list.count))
        value = Several(ParameterReader.take(name, help, domain, standard: standard), of: list)
    }
}

extension ParameterDomain {
    /// Whether a list of names may have this one, so that users can type it among others.
    fileprivate static func isName(_ name: StaticString) -> Bool {
        let isNumber =
            name.utf8CodeUnitCount > 1 && name.utf8Start[0] == UInt8(ascii: "0")
            && name.utf8Start[1] == UInt8(ascii: "x")
        return name.utf8CodeUnitCount > 0 && !isNumber && !name.isSame(as: "none") && !name.isSame(as: "all")
            && !(0..<name.utf8CodeUnitCount).contains {
                [UInt8(ascii: ","), UInt8(ascii: " ")].contains(name.utf8Start[$0])
            }
    }
}
