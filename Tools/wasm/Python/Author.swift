// The functions that the author's part of a module defines. The compiler of Python (Python/potluck/_language) makes them,
// and its linker puts them in the place of these imports.

/// Takes the address of the parameters' values, and prepares the simulation. Returns 0, or the number of the sentence that
/// says why the parameters do not fit together.
@_extern(wasm, module: "author", name: "configure") @_extern(c)
func authorConfigure(_ values: UInt32) -> UInt32

/// Returns the address of a sentence (upper 32 bits) and its length in bytes.
@_extern(wasm, module: "author", name: "sentence") @_extern(c)
func authorSentence(_ number: UInt32) -> UInt64

/// Returns the number of trials or units in a block.
@_extern(wasm, module: "author", name: "block_size") @_extern(c)
func authorBlockSize() -> UInt32

/// Returns the number of units of a gathering.
@_extern(wasm, module: "author", name: "units") @_extern(c)
func authorUnits() -> UInt64

/// Runs trials of a lane whose stream has these words.
@_extern(wasm, module: "author", name: "lane") @_extern(c)
func authorLane(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, _ trials: UInt32)

/// Computes units of a gathering's block whose stream has these words.
@_extern(wasm, module: "author", name: "block") @_extern(c)
func authorBlock(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, _ first: UInt64, _ end: UInt64)

/// Returns the exact answer of a reading; NaN if it has none.
@_extern(wasm, module: "author", name: "exact") @_extern(c)
func authorExact(_ reading: UInt32) -> Double

/// Returns what the author's function of a reading makes of another reading's value, or of the whole tally; NaN for none.
@_extern(wasm, module: "author", name: "derived") @_extern(c)
func authorDerived(_ reading: UInt32, _ value: Double, _ trials: UInt64) -> Double

/// Returns the address of the module's tables.
@_extern(wasm, module: "author", name: "layout") @_extern(c)
func authorLayout() -> UInt32

// The author's part calls the function of the same name here if the class has a field or a reading of that kind. Otherwise
// the module does not have that function.

/// Does with an accumulator what `rt_sum` does.
@_extern(wasm, module: "author", name: "sum") @_extern(c)
func authorSum(_ accumulator: UInt32, _ deed: UInt32, _ slots: UInt32)

/// Does with an accumulator what `rt_moments` does.
@_extern(wasm, module: "author", name: "moments") @_extern(c)
func authorMoments(_ accumulator: UInt32, _ deed: UInt32, _ slots: UInt32)

/// Does with the sums of comoments what `rt_comoments` does.
@_extern(wasm, module: "author", name: "comoments") @_extern(c)
func authorComoments(_ accumulator: UInt32, _ sums: UInt32, _ deed: UInt32, _ slots: UInt32)

/// Estimates what `rt_proportion` does.
@_extern(wasm, module: "author", name: "proportion") @_extern(c)
func authorProportion(_ count: UInt32, _ trials: UInt64, _ estimate: UInt32)

/// Estimates what `rt_mean_tally` or `rt_mean_collect` does.
@_extern(wasm, module: "author", name: "mean") @_extern(c)
func authorMean(_ moments: UInt32, _ trials: UInt64, _ estimate: UInt32)

/// Estimates what `rt_variance` does.
@_extern(wasm, module: "author", name: "variance") @_extern(c)
func authorVariance(_ moments: UInt32, _ trials: UInt64, _ estimate: UInt32)

/// Estimates what `rt_pairs` does.
@_extern(wasm, module: "author", name: "pairs") @_extern(c)
func authorPairs(_ rule: UInt32, _ pairs: UInt32, _ estimate: UInt32)

/// Estimates what `rt_means` does.
@_extern(wasm, module: "author", name: "means") @_extern(c)
func authorMeans(_ reading: UInt32, _ comoments: UInt32, _ size: UInt32, _ estimate: UInt32)

/// Estimates what `rt_controlled` does.
@_extern(wasm, module: "author", name: "controlled") @_extern(c)
func authorControlled(_ reading: UInt32, _ comoments: UInt32, _ size: UInt32, _ estimate: UInt32)

/// Estimates what `rt_effective` does.
@_extern(wasm, module: "author", name: "effective") @_extern(c)
func authorEffective(_ moments: UInt32, _ estimate: UInt32)

/// Estimates what `rt_quantile` does.
@_extern(wasm, module: "author", name: "quantile") @_extern(c)
func authorQuantile(_ quantiles: UInt32, _ part: Double, _ estimate: UInt32)

/// Does with the moments of a series what `rt_series` does.
@_extern(wasm, module: "author", name: "series") @_extern(c)
func authorSeries(_ moments: UInt32, _ times: UInt32, _ deed: UInt32, _ slots: UInt32)

/// Writes what `rt_curve` does.
@_extern(wasm, module: "author", name: "curve") @_extern(c)
func authorCurve(_ moments: UInt32, _ times: UInt32, _ words: UInt32) -> UInt32

/// Estimates what `rt_category` does.
@_extern(wasm, module: "author", name: "category") @_extern(c)
func authorCategory(_ counts: UInt32, _ size: UInt32, _ place: UInt32, _ estimate: UInt32)

/// Estimates what `rt_shortfall` does.
@_extern(wasm, module: "author", name: "shortfall") @_extern(c)
func authorShortfall(_ quantiles: UInt32, _ part: Double, _ estimate: UInt32)
