// What the author's code writes: a gathering's output, and notes.

/// The bytes of a constant text.
private func octets(_ address: UInt32, _ count: UInt32) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: pointer(to: UInt64(address)), count: Int(count))
}

@_expose(wasm, "rt_out_text") @_cdecl("rt_out_text")
public func writeText(_ address: UInt32, _ count: UInt32) { for octet in octets(address, count) { output.put(octet) } }

@_expose(wasm, "rt_out_int") @_cdecl("rt_out_int")
public func writeInteger(_ n: Int64) { output.write(n) }

@_expose(wasm, "rt_out_float") @_cdecl("rt_out_float")
public func writeReal(_ x: Double) { output.write(x) }

@_expose(wasm, "rt_out_newline") @_cdecl("rt_out_newline")
public func writeLineEnd() { output.put(10 as UInt8) }

/// Writes a real number of a row.
@_expose(wasm, "rt_out_real") @_cdecl("rt_out_real")
public func writeOfRow(_ x: Double) { output.put(x) }

/// Whether notes are written.
@_expose(wasm, "rt_note_is_on") @_cdecl("rt_note_is_on")
public func noteIsOn() -> Int32 { LogBook.isOn ? 1 : 0 }

/// The note that the author's code writes.
nonisolated(unsafe) private var noted = Output()

/// Begins the next trial of a lane.
@_expose(wasm, "rt_note_trial") @_cdecl("rt_note_trial")
public func noteTrial() { LogBook.beginTrial() }

@_expose(wasm, "rt_note_begin") @_cdecl("rt_note_begin")
public func noteBegin() { noted = Output() }

@_expose(wasm, "rt_note_text") @_cdecl("rt_note_text")
public func noteText(_ address: UInt32, _ count: UInt32) { for octet in octets(address, count) { noted.put(octet) } }

@_expose(wasm, "rt_note_int") @_cdecl("rt_note_int")
public func noteInteger(_ n: Int64) { noted.write(n) }

@_expose(wasm, "rt_note_float") @_cdecl("rt_note_float")
public func noteReal(_ x: Double) { noted.write(x) }

@_expose(wasm, "rt_note_bool") @_cdecl("rt_note_bool")
public func noteFlag(_ flag: Int32) { noted.write(flag != 0 ? "True" : "False") }

@_expose(wasm, "rt_note_end") @_cdecl("rt_note_end")
public func noteEnd() { LogBook.write(noted.octets, isFrame: false) }

@_expose(wasm, "rt_sketch_picture") @_cdecl("rt_sketch_picture")
public func sketchPicture(_ width: Double, _ height: Double) { sketch(width: width, height: height) { _ in } }

/// The ink with a number of the author's code.
private func ink(_ number: Int32) -> Sketch.Ink { Sketch.Ink(rawValue: Int(number)) ?? .plain }

@_expose(wasm, "rt_sketch_line") @_cdecl("rt_sketch_line")
public func sketchLine(_ x: Double, _ y: Double, _ toX: Double, _ toY: Double, _ number: Int32) {
    sketch { $0.line(x, y, toX, toY, ink(number)) }
}

@_expose(wasm, "rt_sketch_box") @_cdecl("rt_sketch_box")
public func sketchBox(
    _ x: Double, _ y: Double, _ toX: Double, _ toY: Double, _ number: Int32, _ isFilled: Int32
) { sketch { $0.box(x, y, toX, toY, ink(number), isFilled: isFilled != 0) } }

@_expose(wasm, "rt_sketch_circle") @_cdecl("rt_sketch_circle")
public func sketchCircle(_ x: Double, _ y: Double, _ radius: Double, _ number: Int32, _ isFilled: Int32) {
    sketch { $0.circle(x, y, radius: radius, ink(number), isFilled: isFilled != 0) }
}

/// Draws the note that was written.
@_expose(wasm, "rt_sketch_text") @_cdecl("rt_sketch_text")
public func sketchText(_ x: Double, _ y: Double, _ number: Int32) {
    sketch { $0.text(noted.octets, x, y, ink(number)) }
}

/// Returns the notes. The first call turns them on.
@_expose(wasm, "rt_notes") @_cdecl("rt_notes")
public func notes() -> UInt64 { LogBook.take() }
