/// Reads the tables in the payload of a request.
enum RecordTables {
    /// Returns one table for each input, from rows, columns and numbers of each. Tables are empty if there is no
    /// payload.
    static func read(_ inputs: [Input], from payload: Slice<UnsafeBufferPointer<UInt64>>) -> [Table] {
        var tables: [Table] = []
        visit(inputs.count, in: payload) { rows, columns, numbers in
            let table = Table(rows: rows, columns: columns, numbers: numbers.map { Double(bitPattern: $0) })
            tables.append(table.given(to: inputs[tables.count]))
        }
        return tables
    }

    /// Passes the table of each input to `visit`: its rows, its columns and the bits of its numbers.
    static func visit(
        _ inputs: Int, in payload: Slice<UnsafeBufferPointer<UInt64>>,
        _ visit: (_ rows: Int, _ columns: Int, _ numbers: Slice<UnsafeBufferPointer<UInt64>>) -> Void
    ) {
        var rest = payload
        for _ in 0..<inputs {
            guard let rows = rest.popFirst(), let columns = rest.popFirst() else {
                visit(0, 0, rest)
                continue
            }
            let count = Int(rows) * Int(columns)
            precondition(rest.count >= count)
            visit(Int(rows), Int(columns), rest.prefix(count))
            rest = rest.dropFirst(count)
        }
    }
}
