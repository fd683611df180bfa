#if hasFeature(Embedded)
    // The functions that a module of a program with ranks imports. docs/PLUGINS.md describes them. With `@_extern(c)` they have
    // no parameters besides those that are written here.

    @_extern(c) @_extern(wasm, module: "potluck_comm", name: "rank") private func importedRank() -> Int32
    @_extern(c) @_extern(wasm, module: "potluck_comm", name: "size") private func importedSize() -> Int32
    @_extern(c) @_extern(wasm, module: "potluck_comm", name: "time") private func importedTime() -> Double
    @_extern(c) @_extern(wasm, module: "potluck_comm", name: "log")
    private func importedLog(_ text: UnsafeRawPointer?, _ bytes: Int32)
    @_extern(c) @_extern(wasm, module: "potluck_comm", name: "abort") private func importedAbort(_ code: Int32)
    @_extern(c) @_extern(wasm, module: "potluck_comm", name: "send")
    private func importedSend(
        _ to: Int32, _ tag: Int32, _ context: Int32, _ address: UnsafeRawPointer?, _ bytes: Int32, _ mode: Int32)
    @_extern(c) @_extern(wasm, module: "potluck_comm", name: "isend")
    private func importedSendLater(
        _ to: Int32, _ tag: Int32, _ context: Int32, _ address: UnsafeRawPointer?, _ bytes: Int32, _ mode: Int32
    ) -> Int32
    @_extern(c) @_extern(wasm, module: "potluck_comm", name: "receive")
    private func importedReceive(
        _ from: Int32, _ tag: Int32, _ context: Int32, _ address: UnsafeMutableRawPointer?, _ capacity: Int32,
        _ status: UnsafeMutableRawPointer?)
    @_extern(c) @_extern(wasm, module: "potluck_comm", name: "ireceive")
    private func importedReceiveLater(
        _ from: Int32, _ tag: Int32, _ context: Int32, _ address: UnsafeMutableRawPointer?, _ capacity: Int32
    ) -> Int32
    @_extern(c) @_extern(wasm, module: "potluck_comm", name: "probe")
    private func importedProbe(
        _ from: Int32, _ tag: Int32, _ context: Int32, _ wait: Int32, _ status: UnsafeMutableRawPointer?
    ) -> Int32
    @_extern(c) @_extern(wasm, module: "potluck_comm", name: "wait")
    private func importedWait(
        _ requests: UnsafeRawPointer?, _ count: Int32, _ status: UnsafeMutableRawPointer?
    ) -> Int32
    @_extern(c) @_extern(wasm, module: "potluck_comm", name: "test")
    private func importedTest(_ request: Int32, _ status: UnsafeMutableRawPointer?) -> Int32
    @_extern(c) @_extern(wasm, module: "potluck_comm", name: "checkpoint")
    private func importedCheckpoint(_ address: UnsafeRawPointer?, _ bytes: Int32)
    @_extern(c) @_extern(wasm, module: "potluck_comm", name: "restore")
    private func importedRestore(_ address: UnsafeMutableRawPointer?, _ capacity: Int32) -> Int32

    typealias Port = ModulePort

    /// The same functions with the types of `RankPort`, the protocol of native builds.
    struct ModulePort {
        var rank: Int { Int(importedRank()) }
        var size: Int { Int(importedSize()) }
        var time: Double { importedTime() }

        func log(_ text: UnsafeRawBufferPointer) { importedLog(text.baseAddress, Int32(text.count)) }

        func abort(_ code: Int) -> Never {
            importedAbort(Int32(code))
            // The import does not return.
            fatalError()
        }

        func send(_ bytes: UnsafeRawBufferPointer, to rank: Int, tag: Int, context: Int, mode: SendMode) {
            importedSend(
                Int32(rank), Int32(tag), Int32(context), bytes.baseAddress, Int32(bytes.count), mode.rawValue)
        }

        func isend(_ bytes: UnsafeRawBufferPointer, to rank: Int, tag: Int, context: Int, mode: SendMode) -> Int {
            Int(
                importedSendLater(
                    Int32(rank), Int32(tag), Int32(context), bytes.baseAddress, Int32(bytes.count), mode.rawValue))
        }

        func receive(into bytes: UnsafeMutableRawBufferPointer, from rank: Int, tag: Int, context: Int) -> Status {
            var words = StatusWords()
            importedReceive(
                Int32(rank), Int32(tag), Int32(context), bytes.baseAddress, Int32(bytes.count), &words)
            return words.status
        }

        func ireceive(into bytes: UnsafeMutableRawBufferPointer, from rank: Int, tag: Int, context: Int) -> Int {
            Int(
                importedReceiveLater(Int32(rank), Int32(tag), Int32(context), bytes.baseAddress, Int32(bytes.count)))
        }

        func probe(from rank: Int, tag: Int, context: Int, waits: Bool) -> Status? {
            var words = StatusWords()
            let found = importedProbe(Int32(rank), Int32(tag), Int32(context), waits ? 1 : 0, &words)
            return found == 1 ? words.status : nil
        }

        func wait(_ requests: UnsafeBufferPointer<Int32>) -> (index: Int, status: Status)? {
            var words = StatusWords()
            let index = importedWait(requests.baseAddress, Int32(requests.count), &words)
            return index < 0 ? nil : (Int(index), words.status)
        }

        func test(_ request: Int) -> Status? {
            var words = StatusWords()
            return importedTest(Int32(request), &words) == 1 ? words.status : nil
        }

        func checkpoint(_ state: UnsafeRawBufferPointer) { importedCheckpoint(state.baseAddress, Int32(state.count)) }

        func restore(into state: UnsafeMutableRawBufferPointer) -> Int? {
            let bytes = importedRestore(state.baseAddress, Int32(state.count))
            return bytes < 0 ? nil : Int(bytes)
        }
    }

    /// A status as the imports write it.
    private struct StatusWords {
        var source: Int32 = -1
        var tag: Int32 = -1
        var bytes: Int32 = 0

        var status: Status { Status(source: Int(source), tag: Int(tag), bytes: Int(bytes)) }
    }
#endif
