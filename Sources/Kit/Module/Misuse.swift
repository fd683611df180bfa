/// A call of the kit with something that it cannot take. The program ends there, as at any failed condition. A module keeps
/// the sentence that says why, because all that its host sees is an instruction that stops.
public enum Misuse {
    #if hasFeature(Embedded)
        // A module has only one thread.
        nonisolated(unsafe) private static var sentence: StaticString = ""

        /// Not optimised: the compiler would leave out a write that nothing reads before the program stops.
        @inline(never) @_optimize(none)
        private static func keep(_ why: StaticString) { sentence = why }

        /// Returns the address of the sentence (upper 32 bits) and its length in bytes, which is 0 if no call was wrong.
        public static func place() -> UInt64 {
            UInt64(UInt(bitPattern: sentence.utf8Start)) &<< 32 | UInt64(sentence.utf8CodeUnitCount)
        }
    #endif

    /// Ends the program. Never inlined, so that a call costs the code around it one jump.
    @usableFromInline @inline(never)
    static func stop(_ why: StaticString) -> Never {
        #if hasFeature(Embedded)
            keep(why)
            fatalError()
        #else
            preconditionFailure(why.description)
        #endif
    }

    /// Ends the program unless the condition holds.
    @inlinable @inline(__always)
    static func stop(unless isRight: Bool, _ why: StaticString) {
        if _slowPath(!isRight) { stop(why) }
    }
}
