#if arch(x86_64)
    import CKernels
    import PotluckCatalogue
    import PotluckKit
    import Testing

    /// Tests the rare path of the kernels' dice with states that take it, in any lanes and repeatedly.
    @Suite struct ThrownAgainTests {
        typealias Kernel = (UnsafePointer<UInt32>, Int, UInt32, UnsafeMutablePointer<UInt64>) -> Void

        static var kernels: [(Kernels, Kernel)] {
            let all: [(Kernels, Kernel)] = [
                (.avx2, { potluck_kernels_avx2_monty_hall($0, $1, $2, $3) }),
                (.avx512, { potluck_kernels_avx512_monty_hall($0, $1, $2, $3) }),
            ]
            return all.filter { Kernels.available.contains($0.0) }
        }

        /// Plays the game with the kit's own draws, one lane after another.
        private func plain(_ states: [SIMD4<UInt32>], trials: Int, doors: Int) -> [UInt64] {
            var counts: [UInt64] = [0, 0]
            for state in states {
                var random = RandomStream(state)
                for _ in 0..<trials {
                    let (car, pick) = random.pair(below: doors, doors)
                    let before = (car - pick - 1 + doors) % doors
                    let (shown, other) = random.pair(below: car == pick ? doors - 1 : doors - 2, doors - 2)
                    counts[0] += car == pick ? 1 : 0
                    counts[1] += other == before - (shown < before ? 1 : 0) ? 1 : 0
                }
            }
            return counts
        }

        /// Returns a state whose first word is zero: both of its dice are unfair unless their sides divide 65 536.
        private func unfair(_ seeds: inout Seeds) -> SIMD4<UInt32> {
            SIMD4(0, UInt32(truncatingIfNeeded: seeds.next()), UInt32(truncatingIfNeeded: seeds.next()), 0)
        }

        /// Returns an unfair state whose second word also has a lower half of zero.
        private func twiceUnfair(_ seeds: inout Seeds) -> SIMD4<UInt32> {
            while true {
                let state = unfair(&seeds)
                var random = RandomStream(state)
                _ = random.next()
                if random.next() & 0xffff == 0 { return state }
            }
        }

        @Test(arguments: [3, 5, 7, 10, 100]) func anyLanesMayThrowAgain(doors: Int) {
            var seeds = Seeds(UInt64(doors))
            let rare = (0..<4).map { _ in twiceUnfair(&seeds) }
            for round in 0..<200 {
                let lanes = round == 0 ? 0xffff : seeds.next()
                let states = (0..<16).map { lane in
                    if lanes >> lane & 1 == 0 { return SIMD4<UInt32>(truncatingIfNeeded: seeds.words()) }
                    return seeds.next() % 2 == 0 ? unfair(&seeds) : rare[Int(seeds.next() % 4)]
                }
                let memory = (0..<4).flatMap { word in states.map { $0[word] } }
                for trials in [1, 2, 50] {
                    let expected = plain(states, trials: trials, doors: doors)
                    for (name, kernel) in Self.kernels {
                        var counts: [UInt64] = [0, 0]
                        kernel(memory, trials, UInt32(doors), &counts)
                        #expect(counts == expected, "\(name), \(doors) doors, \(trials) trials, lanes \(lanes)")
                    }
                }
            }
        }

        @Test func countsAddUp() {
            var seeds = Seeds(9)
            let states = (0..<16).map { _ in SIMD4<UInt32>(truncatingIfNeeded: seeds.words()) }
            let memory = (0..<4).flatMap { word in states.map { $0[word] } }
            let expected = plain(states, trials: 40, doors: 3)
            for (name, kernel) in Self.kernels {
                var counts: [UInt64] = [1000, 2000]
                kernel(memory, 40, 3, &counts)
                #expect(counts == [1000 + expected[0], 2000 + expected[1]], "\(name)")
                kernel(memory, 0, 3, &counts)
                #expect(counts == [1000 + expected[0], 2000 + expected[1]], "\(name)")
            }
        }
    }
#endif
