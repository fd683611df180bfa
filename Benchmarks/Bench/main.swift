import Glibc
import PotluckCatalogue
import PotluckKit

func plain(_ name: String, _ k: Kernels = .plain) -> Contestant {
    let simulation = simulations(with: k).first { $0.name == name }!
    let prepared = try! simulation.prepared(simulation.standardParameters)
    return Contestant(name: k.rawValue) { prepared.run(ChunkRequest(seed: 1, blocks: $0, trials: nil), { false }).slots }
}
func reference(_ path: String, _ symbol: String, slots: Int) -> Contestant {
    typealias F = @convention(c) (UInt64, UInt64, UInt64, UInt32, UnsafeMutablePointer<UInt64>) -> Void
    guard let h = dlopen(path, RTLD_NOW), let f = dlsym(h, symbol) else { fail(String(cString: dlerror())) }
    let function = unsafeBitCast(f, to: F.self)
    return Contestant(name: path) { r in
        var t = [UInt64](repeating: 0, count: slots)
        function(1, r.lowerBound, UInt64(r.count), 3, &t)
        return t
    }
}
let args = CommandLine.arguments
let cs = Kernels.available.map { plain(args[1], $0) } + args.dropFirst(2).map { reference($0, args[1] == "pi" ? "pi" : "monty_hall", slots: args[1] == "pi" ? 1 : 2) }
let t = contest(cs, blocks: 100, rounds: 31)
for x in t {
    let ratios = zip(x.rounds, t[0].rounds).map { $0 / $1 }.sorted()
    print(x.name, 100 * 65536 / x.median / 1e6, 100 * 65536 / x.rounds.min()! / 1e6, "we/it", ratios[ratios.count / 2])
}
