"""The game object: decide, evolve, and what a page may know."""

from collections.abc import Sequence

from companion.games.battles import moves
from companion.games.battles.deciding import decide
from companion.games.battles.evolving import evolve, set_up
from companion.games.battles.moves import (
    ArmiesSet,
    Attack,
    CalledOff,
    CallOff,
    Command,
    Decided,
    Declared,
    Event,
    Fell,
    FellOut,
    SettleThrow,
    TableSet,
    TowerCorrected,
)
from companion.games.battles.state import (
    COLOURS,
    PLAYERS,
    Province,
    State,
    plus,
    some,
)
from companion.games.protocol import Colour, Counts, Json, Refused, Seat, ThrowPlan


class Battles:
    """Keeps `companion.games.protocol.Game`."""

    name = "battles"
    colours = COLOURS

    def new(self, options: Json) -> Sequence[Event]:
        """`provinces` (id, name, owner, armies, markers), `tower`, `tray`; who owns something plays."""
        try:
            provinces = tuple(
                (
                    str(p["id"]),
                    Province(str(p["name"]), p.get("owner"), int(p["armies"]), int(p.get("markers", 0))),
                )
                for p in options["provinces"]
            )
            players = tuple(Colour(c) for c in options["players"])
            tower, tray = moves.counts(options.get("tower", {})), moves.counts(options.get("tray", {}))
        except (KeyError, TypeError, ValueError):
            raise Refused("S-2", "bad_options", "A table needs players and provinces.") from None
        if len(set(players)) < 2 or not set(players) <= set(PLAYERS):
            raise Refused("C-1", "bad_players", "A battle needs two different players' colours.")
        return [TableSet(players, provinces, tower, tray)]

    def decide(self, state: State, command: Command) -> Sequence[Event]:
        """Events that follow, or `Refused`."""
        return decide(state, command)

    def evolve(self, state: State | None, event: Event) -> State:
        """The state after an event."""
        if isinstance(event, TableSet):
            return set_up(event)
        if state is None:
            raise ValueError("a table begins with table_set")
        return evolve(state, event)

    def legal(self, state: State, seat: Seat | None) -> Sequence[Command]:
        """Attacks that need no correction first, one army each."""
        if state.battle:
            return [CallOff()]
        return [
            Attack(player, key, 1)
            for player in state.players
            if (seat is None or Colour(seat) == player) and state.supply.get(player, 0)
            for key, province in state.provinces.items()
            if province.owner != player
        ]

    def view(self, state: State, seat: Seat | None) -> Json:
        """All of it: there are no secrets in a table of battles (C-6)."""
        plan = self.throw_plan(state)
        return {
            "game": self.name,
            "players": list(state.players),
            "colours": list(COLOURS),
            "provinces": [
                {"id": k, "name": p.name, "owner": p.owner, "armies": p.armies, "markers": p.markers}
                for k, p in state.provinces.items()
            ],
            "supply": dict(state.supply),
            "tower": dict(state.tower),
            "tray": dict(state.tray),
            "battle": moves.battle_json(state.battle) if state.battle else None,
            "plan": {"from_table": dict(plan.from_table), "from_tray": dict(plan.from_tray)}
            if plan
            else None,
            "last": moves.settled_json(state.last) if state.last else None,
        }

    def throw_plan(self, state: State) -> ThrowPlan | None:
        """What to throw now: what stands before the tower, and the tray (B-1)."""
        if state.battle is None:
            return None
        thrown = plus(state.ready, state.tray)
        return ThrowPlan(some(state.ready), some(state.tray), plus(thrown, state.tower))

    def settle_throw(self, state: State, tray: Counts) -> Command:
        """The command that tells what lies in the tray."""
        return SettleThrow({colour: tray.get(colour, 0) for colour in COLOURS})

    def title(self, event: Event) -> str:
        """One line for the history, in English."""
        match event:
            case TableSet():
                title = "The table is set"
            case ArmiesSet(province, armies):
                title = f"{province}: {armies} armies, says the table"
            case Declared(battle):
                title = f"{battle.attacker} attacks {battle.province} with {battle.attackers}"
            case CalledOff(battle):
                title = f"The battle for {battle.province} is called off"
            case TowerCorrected():
                title = "More was in the tower than believed"
            case Decided(settled):
                title = f"Battle for {settled.battle.province}: {settled.outcome}"
            case FellOut():
                title = "Cubes fell out of the tower"
        return title

    def encode_event(self, event: Event) -> Json:
        """As JSON for the store."""
        return moves.encode(event)

    def decode_event(self, body: Json) -> Event:
        """The event again; raises ValueError."""
        return moves.decode(body)

    def decode_command(self, body: Json) -> Command:
        """A command from a device; raises ValueError with a sentence."""
        match body.get("kind"):
            case "attack":
                defenders = body.get("defenders")
                return Attack(
                    Colour(str(body.get("attacker"))),
                    str(body.get("province")),
                    _whole(body.get("attackers")),
                    None if defenders is None else _whole(defenders),
                )
            case "call_off":
                return CallOff()
            case "settle":
                return SettleThrow(moves.counts(body.get("tray")), bool(body.get("insist")))
            case "fell":
                return Fell(moves.counts(body.get("fell")))
        raise ValueError("This game knows no such command.")


def _whole(raw: object) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or not 0 <= raw <= 999:
        raise ValueError("A number of armies is a whole number from 0 up.")
    return raw
