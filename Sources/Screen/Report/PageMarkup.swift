/// The pieces of pages: the document, its sections and its tables.
enum PageMarkup {
    /// `opening` has phrases that are not broken. `question` is the simulation's summary; nil if it is unknown.
    static func document(
        title: String, heading: String, question: String?, opening: [String], _ sections: [String]
    ) -> String {
        let asked = question.map { "<p class=\"q\">\(Markup.escaped($0))</p>\n" } ?? ""
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="color-scheme" content="light dark">
            <title>\(Markup.escaped(title))</title>
            <style>\(style)</style>
            </head>
            <body>
            <h1>\(Markup.escaped(heading))</h1>
            \(asked)<p class="s">\(opening.map(unbroken).joined(separator: " "))</p>
            \(sections.joined(separator: "\n"))
            </body>
            </html>

            """
    }

    static func section(_ title: String, _ body: String) -> String {
        "<section>\n<h2>\(Markup.escaped(title))</h2>\n\(body)\n</section>"
    }

    static func remark(_ text: String) -> String { "<p class=\"n\">\(Markup.escaped(text))</p>" }

    /// Figures beside each other where there is room.
    static func figures(_ drawings: [String]) -> String {
        "<div class=\"f\">\n" + drawings.map { "<figure>\n\($0)</figure>" }.joined(separator: "\n") + "\n</div>"
    }

    /// A table with heads shows each row as a list on a narrow screen. Numbers are never broken. `isLong` is for rows
    /// with hashes and names, which may be broken anywhere.
    static func table(heads: [String] = [], _ rows: [[String]], isLong: Bool = false) -> String {
        let name = heads.count > 2 ? " class=\"r\"" : isLong ? " class=\"w\"" : ""
        let head = heads.isEmpty ? "" : "<thead><tr>\(heads.map { "<th>\(unbroken($0))</th>" }.joined())</tr></thead>\n"
        let body = rows.map { cells in
            let marked = cells.enumerated().map { place, cell in
                let label =
                    heads.count > 2 && (place > 0 || !heads[0].isEmpty)
                    ? " data-l=\"\(Markup.escaped(heads[place]))\"" : ""
                return "<td\(label)>\(isLong || place == 0 ? Markup.escaped(cell) : interval(cell))</td>"
            }
            return "<tr>\(marked.joined())</tr>"
        }
        return "<table\(name)>\n\(head)<tbody>\n\(body.joined(separator: "\n"))\n</tbody>\n</table>"
    }

    /// `0.1 … 0.2` may be broken in the middle, and nothing else may.
    private static func interval(_ cell: String) -> String {
        guard let middle = cell.firstRange(of: " … ") else { return unbroken(cell) }
        return unbroken(cell[..<middle.lowerBound] + " …") + " " + unbroken(cell[middle.upperBound...])
    }

    static func unbroken(_ text: some StringProtocol) -> String {
        text.utf8.count > longestUnbroken || text.isEmpty
            ? Markup.escaped(String(text)) : "<span>\(Markup.escaped(String(text)))</span>"
    }

    /// A longer text may not fit into the width of a phone.
    private static let longestUnbroken = 34

    /// The colours are variables, for light and dark screens. Paper is always light.
    private static let style = """
        :root{--ink:#111;--soft:#555;--line:#ddd;--paper:#fff;--box:#f4f4f4;--blue:#2a6fb0;--exact:#b45309}
        @media screen and (prefers-color-scheme:dark){:root{--ink:#eee;--soft:#aaa;--line:#3a3a3a;--paper:#161616;--box:#242424;--blue:#6db3f2;--exact:#f0a050}}
        body{font:16px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:48rem;margin:2rem auto;padding:0 1rem}
        h1{font-size:1.8rem;margin:0}h2{font-size:1.1rem;margin:1.6rem 0 .4rem;break-after:avoid}h3{font-size:1rem;margin:.4rem 0}
        .q{font-size:1.15rem;margin:.2rem 0 .6rem}.s,.n{color:var(--soft)}.s{margin:.2rem 0}.n{font-size:.85rem}span{white-space:nowrap}
        table{border-collapse:collapse;margin:.4rem 0}td,th{text-align:left;padding:.15rem 1.2rem .15rem 0;vertical-align:top}
        th,td:first-child{color:var(--soft);font-weight:400}td{font-variant-numeric:tabular-nums;overflow-wrap:break-word}
        td:first-child{min-width:5rem}tr{break-inside:avoid}.w td{overflow-wrap:anywhere}.w td:first-child{overflow-wrap:normal}
        pre{background:var(--box);padding:.6rem;white-space:pre-wrap;overflow-wrap:anywhere;break-inside:avoid}
        .f{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:1rem}
        figure{margin:0;break-inside:avoid}svg{width:100%;max-width:30rem;height:auto;display:block}
        svg text{font:12px system-ui,sans-serif;fill:var(--soft)}svg text.t{font-weight:600;font-size:13px;fill:var(--ink)}
        svg .f{fill:none;stroke:var(--soft)}svg .g{stroke:var(--line)}svg .e{stroke:var(--exact);stroke-dasharray:5 4;stroke-width:1.5}
        svg .b{fill:var(--blue);fill-opacity:.22}svg .l{fill:none;stroke:var(--blue);stroke-width:2}svg .i{stroke:var(--blue);stroke-width:1.5}svg .d,svg .h{fill:var(--blue)}
        @media screen and (max-width:40rem){body{margin:1rem auto}.r thead{display:none}.r tr{display:block;margin:0 0 .7rem}.r td{display:block;padding:0}
        .r td:first-child{color:var(--ink);font-weight:600}.r td:empty{display:none}.r td[data-l]::before{content:attr(data-l);display:inline-block;min-width:8rem;color:var(--soft)}}
        @media screen and (min-width:40.01rem){.r th{position:sticky;top:0;background:var(--paper)}}
        @media print{@page{margin:15mm}body{margin:0;padding:0;max-width:none;font-size:10.5pt}h2{margin:1rem 0 .3rem}pre{border:1px solid #ccc}.f{grid-template-columns:1fr 1fr}}
        """
}
