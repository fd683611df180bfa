/// Reads the tables in the payload of a request.
enum RecordTables {
    /// Returns one table for each input, from rows, columns and numbers of each. Tables are empty if there is no
    /// payload.
    static func read(_ inputs: Int, from payload: Slice<UnsafeBufferPointer<UInt64>>) -> [Table] {
        var rest = payload
        var tables: [Table] = []
        for _ in 0..<inputs {
            guard let rows = rest.popFirst(), let columns = rest.popFirst() else {
                tables.append(.empty)
                continue
            }
            let count = Int(rows) * Int(columns)
            precondition(rest.count >= count)
            tables.append(
                Table(
                    rows: Int(rows), columns: Int(columns), numbers: rest.prefix(count).map { Double(bitPattern: $0) }))
            rest = rest.dropFirst(count)
        }
        return tables
    }
}
