#if hasFeature(Embedded)
    /// The memory in which a module gives a record to the program that runs it. It is reused, and replaced when it is too
    /// small.
    struct RecordMemory {
        private(set) var start: UnsafeMutablePointer<UInt64>?
        private var capacity = 0

        mutating func reserve(_ slots: Int) -> UnsafeMutablePointer<UInt64> {
            if let start, slots <= capacity { return start }
            start?.deallocate()
            let made = UnsafeMutablePointer<UInt64>.allocate(capacity: slots)
            start = made
            capacity = slots
            return made
        }

        /// Frees the memory. What it held is no longer valid.
        mutating func release() {
            start?.deallocate()
            (start, capacity) = (nil, 0)
        }

        /// Returns the address of memory for a record of this many bytes.
        mutating func allocate(_ octets: UInt32) -> UInt32 {
            let memory = reserve(Int(octets &>> 3) + 1)
            return UInt32(truncatingIfNeeded: UInt(bitPattern: memory))
        }

        /// Copies a record. Returns its address in the upper 32 bits and its length in bytes in the lower ones.
        mutating func give(_ record: RecordWriter) -> UInt64 {
            let slots = record.slots
            let memory = reserve(slots.count + 1)
            for index in slots.indices { memory[index] = slots[index] }
            return UInt64(UInt(bitPattern: memory)) &<< 32 | UInt64(slots.count &* 8)
        }

        /// Returns the slots of a request that the other side wrote.
        static func slots(_ address: UInt32, _ octets: UInt32) -> UnsafeBufferPointer<UInt64> {
            UnsafeBufferPointer(start: UnsafePointer<UInt64>(bitPattern: UInt(address)), count: Int(octets &>> 3))
        }
    }
#endif
