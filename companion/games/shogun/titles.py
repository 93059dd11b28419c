"""One line of history for each event, in English."""

from companion.games.shogun import events as e
from companion.games.shogun import facts
from companion.games.shogun.commands import Fact
from companion.games.shogun.words import Fight
from companion.tower.piles import in_words


def title(event: e.Event) -> str:  # noqa: PLR0911, PLR0912 - one line a kind
    """Return what happened, without the secrets of planning."""
    match event:
        case e.TableSet():
            return f"A table for {', '.join(event.seats)}, {event.side} side"
        case e.ProvinceTaken():
            return f"{event.seat} takes {_name(event.province)} with {event.armies}"
        case e.OpenSwapped():
            return f"{event.seat} changes the two open cards"
        case e.OpenFilled():
            return f"Turned up for the draft: {', '.join(map(_name, event.cards))}"
        case e.PhaseBegun():
            return f"Next: {event.phase}"
        case e.TowerFilled():
            return f"The tower is filled; {in_words(event.tray)} fell into the tray"
        case e.YearLaid():
            return "Four events of the year are laid out"
        case e.RowLaid():
            return "The action cards are laid out"
        case e.ActionOpened():
            return f"Place {event.place} of the action row: {event.action}"
        case e.SpecialsLaid():
            return "The special cards are laid out"
        case e.CardPlaced():
            return f"{event.seat} plans"
        case e.SeatReady():
            return f"{event.seat} is ready" if event.ready else f"{event.seat} plans again"
        case e.EventDrawn():
            return f"Event of the round: {facts.EVENTS[event.event].effect}"
        case e.BidsRevealed():
            return f"Bids are paid; choosing: {', '.join(event.choosing)}"
        case e.SpecialChosen():
            return f"{event.seat} takes {event.special}"
        case e.OrderSet():
            return f"Turn order: {', '.join(event.order)}"
        case e.CardTurned():
            return f"{event.seat} turns up {event.card or 'nothing'} on {event.space}"
        case e.Built():
            return f"{event.seat} builds a {event.building} in {_name(event.province)}"
        case e.Collected():
            got = f"{event.rice} rice" if event.rice else f"{event.chests} chests"
            return f"{event.seat} collects {got} in {_name(event.province)}"
        case e.MarkerAdded():
            return f"A revolt marker for {_name(event.province)}"
        case e.Deployed():
            return f"{event.seat} deploys {event.armies} in {_name(event.province)}"
        case e.Moved():
            return f"{event.seat} moves {event.armies} from {_name(event.source)} to {_name(event.target)}"
        case e.Stayed():
            return f"{event.seat} stays"
        case e.Skipped():
            return f"{event.seat} skips {event.space} ({event.because})"
        case e.TurnEnded():
            return "The next turn"
        case e.ThrowDeclared():
            return _throw_title(event)
        case e.DefenceAnswered():
            return "The defender throws one more army" if event.bonus else "The defender throws no more"
        case e.ThrowCalledOff():
            return f"The battle for {_name(event.throw.province)} is called off"
        case e.ThrowSettled():
            return (
                f"{_name(event.throw.province)}: {event.result.outcome}, {in_words(event.tray)} in the tray"
            )
        case e.IncomeForfeited():
            return f"{event.seat} gives the income back"
        case e.FellOut():
            return f"{in_words(event.fell)} fell out of the tower"
        case e.TowerKnocked():
            return "The tower was knocked; what is inside is unknown"
        case e.TowerCounted():
            return f"The tower was opened: {in_words(event.inside)}"
        case e.MoreInside():
            return f"There was more in the tower than believed: {in_words(event.more)}"
        case e.ArmiesFound():
            return f"{_name(event.province)}: {event.armies} armies, says the table"
        case e.RoundEnded():
            return f"The round ends; now {event.season}"
        case e.RiceLost():
            return "Rice is lost to the winter"
        case e.RevoltsDrawn():
            return f"Winter revolts of {event.player}: {', '.join(map(_name, event.provinces)) or 'none'}"
        case e.Scored():
            return "Points: " + in_words(event.gained)
        case e.YearEnded():
            return "The first year ends"
        case e.GameEnded():
            return f"The game ends; {' and '.join(event.winners)} win"
        case e.Corrected():
            where = event.where.partition(".")[0] if event.fact is Fact.CARD else event.where  # C-6
            return f"Corrected: {event.fact} of {where or 'the table'} ({event.reason})"
        case e.Overruled():
            return f"The table overrules {event.rule}: {event.reason}"
        case e.Warned():
            return f"{event.sentence} ({event.rule})"


def _throw_title(event: e.ThrowDeclared) -> str:
    throw = event.throw
    if throw.fight is Fight.FILL:
        return "The tower waits for its first cubes"
    if throw.fight is Fight.ATTACK:
        return f"{throw.attacker} attacks {_name(throw.province)} with {throw.moved}"
    return f"A revolt in {_name(throw.province)}"


def _name(province: str) -> str:
    return facts.CARDS[province].name if province in facts.CARDS else province
