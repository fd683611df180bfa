import PotluckCore

/// Returns a copy of a well-formed record with a few changes: a flipped bit, an odd value, or elements removed,
/// inserted or cut off.
package func mutated<Element: FixedWidthInteger>(
    _ record: [Element], _ generator: inout SeededGenerator, odd: [Element], most: UInt64 = 4
) -> [Element] {
    var record = record
    for _ in 0..<generator.next(below: most) + 1 {
        let place = record.isEmpty ? 0 : Int(generator.next(below: UInt64(record.count)))
        switch generator.next(below: 5) {
        case 0 where !record.isEmpty: record[place] ^= 1 << Element(generator.next(below: UInt64(Element.bitWidth)))
        case 1 where !record.isEmpty: record[place] = odd[Int(generator.next(below: UInt64(odd.count)))]
        case 2 where !record.isEmpty: record.remove(at: place)
        case 3: record.insert(Element(truncatingIfNeeded: generator.next()), at: place)
        default: record = Array(record.prefix(place))
        }
    }
    return record
}
