// Choices without a jump. `condition ? a : b` often becomes a jump, and a CPU often guesses wrong where it goes if the
// condition is random. In `lanes` the functions of the same name take a condition for each lane.
import Builtin

/// Returns `a` if the condition holds, else `b`. Both are computed.
@inlinable @inline(__always)
public func choose(_ condition: Bool, _ a: Double, _ b: Double) -> Double {
    Double(Builtin.select_Int1_FPIEEE64(condition._value, a._value, b._value))
}

/// Returns `a` if the condition holds, else `b`. Both are computed.
@inlinable @inline(__always)
public func choose(_ condition: Bool, _ a: Int, _ b: Int) -> Int {
    #if _pointerBitWidth(_32)
        Int(Builtin.select_Int1_Int32(condition._value, a._value, b._value))
    #else
        Int(Builtin.select_Int1_Int64(condition._value, a._value, b._value))
    #endif
}
