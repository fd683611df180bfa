// The tables of a class in Python.

extension Layout {
    /// Tells the author's code where the tables of a request are.
    func place(_ payload: Slice<UnsafeBufferPointer<UInt64>>) {
        var next = inputs.entries.baseAddress!
        RecordTables.visit(inputs.entries.count, in: payload) { rows, columns, numbers in
            let table: UnsafeMutablePointer<InputTable> = pointer(to: next.pointee.address)
            let start = numbers.base.baseAddress.map { UInt(bitPattern: $0 + numbers.startIndex) }
            table.pointee = InputTable(rows: UInt32(rows), columns: UInt32(columns), numbers: UInt32(start ?? 0))
            next += 1
        }
    }
}
