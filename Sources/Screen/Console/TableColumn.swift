/// A column of a table: its layout, and the text of each item that has a row.
struct TableColumn<Item> {
    let layout: Table.Column
    /// The width to expect, where texts come and go and the columns must not; nil: that of the widest text.
    let room: Int?
    let text: (Item) -> String

    init(
        _ head: String, isNumber: Bool = false, least: Int = 0, room: Int? = nil, text: @escaping (Item) -> String
    ) {
        layout = Table.Column(head: head, isNumber: isNumber, least: least)
        self.room = room
        self.text = text
    }

    /// Whether an item has a text here.
    func hasText(_ items: [Item]) -> Bool { items.contains { !text($0).isEmpty } }

    func width(_ items: some Sequence<Item>, on canvas: Canvas) -> Int {
        room
            ?? items.reduce(max(layout.least, canvas.width(of: layout.head))) { max($0, canvas.width(of: text($1))) }
    }
}

extension Table {
    /// A row for each item.
    static func lines<Item>(
        _ columns: [TableColumn<Item>], _ items: [Item], on canvas: Canvas, ink: (Item) -> Ink
    ) -> [StyledLine] {
        lines(
            columns.map(\.layout),
            rows: items.map { item in Row(cells: columns.map { $0.text(item) }, ink: ink(item)) },
            on: canvas)
    }
}
