import PotluckKit

// The functions that the module of a program with ranks exports. The workshop inserts the author's type and the hash of
// the source.

nonisolated(unsafe) private var module = RankModule(AuthorsProgram.self, source: "HashOfTheSource")

@_expose(wasm, "potluck_abi") @_cdecl("potluck_abi")
public func potluckInterface() -> UInt32 { ModuleInterface.ranksVersion }

@_expose(wasm, "potluck_describe") @_cdecl("potluck_describe")
public func potluckDescribe() -> UInt64 { module.describe() }

@_expose(wasm, "potluck_alloc") @_cdecl("potluck_alloc")
public func potluckAllocate(_ octets: UInt32) -> UInt32 { module.allocate(octets) }

@_expose(wasm, "potluck_configure") @_cdecl("potluck_configure")
public func potluckConfigure(_ address: UInt32, _ octets: UInt32) -> UInt64 { module.configure(address, octets) }

@_expose(wasm, "potluck_why") @_cdecl("potluck_why")
public func potluckWhy() -> UInt64 { Misuse.place() }

@_expose(wasm, "potluck_main") @_cdecl("potluck_main")
public func potluckMain(_ address: UInt32, _ octets: UInt32) -> UInt64 { module.main(address, octets) }
