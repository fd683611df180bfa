import PotluckKit

// The functions that a module exports. `potluck build` inserts the author's type and the hash of the source.

nonisolated(unsafe) private var module = SimulationModule(AuthorsSimulation.self, source: "HashOfTheSource")

@_expose(wasm, "potluck_abi") @_cdecl("potluck_abi")
public func potluckInterface() -> UInt32 { ModuleInterface.version }

@_expose(wasm, "potluck_describe") @_cdecl("potluck_describe")
public func potluckDescribe() -> UInt64 { module.describe() }

@_expose(wasm, "potluck_alloc") @_cdecl("potluck_alloc")
public func potluckAllocate(_ octets: UInt32) -> UInt32 { module.allocate(octets) }

@_expose(wasm, "potluck_configure") @_cdecl("potluck_configure")
public func potluckConfigure(_ address: UInt32, _ octets: UInt32) -> UInt64 { module.configure(address, octets) }

@_expose(wasm, "potluck_run") @_cdecl("potluck_run")
public func potluckRun(_ address: UInt32, _ octets: UInt32) -> UInt64 { module.run(address, octets) }

@_expose(wasm, "potluck_read") @_cdecl("potluck_read")
public func potluckRead(_ address: UInt32, _ octets: UInt32) -> UInt64 { module.read(address, octets) }

@_expose(wasm, "potluck_why") @_cdecl("potluck_why")
public func potluckWhy() -> UInt64 { Misuse.place() }

@_expose(wasm, "potluck_kept") @_cdecl("potluck_kept")
public func potluckKept() -> UInt64 { module.kept() }

@_expose(wasm, "potluck_log") @_cdecl("potluck_log")
public func potluckLog() -> UInt64 { LogBook.take() }
