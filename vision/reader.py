"""One settled picture in, one `TrayReading` out: the stages in order, each in its own module."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from vision.alongside import run_alongside
from vision.comparing.cast import without_cast
from vision.comparing.gaps import without_gaps
from vision.comparing.kin import compare_black, settle_colours
from vision.comparing.mirrors import doubt_black, doubt_lamps
from vision.comparing.relight import average_looks, cap_presences, estimate_light
from vision.comparing.repeats import without_repeats
from vision.comparing.shade import without_shadows
from vision.comparing.unchanged import without_pattern
from vision.comparing.walls import Walls, without_images
from vision.counting.odds import FORGOTTEN, AtMost, Odds, belief
from vision.counting.possible import chance_of_one_more, colours_certainty, count_with_ledger
from vision.doubting.camera_doubts import find_camera_doubts, find_exposure_doubt
from vision.doubting.doubts import find_doubts, find_spoiling_doubts, is_sure
from vision.doubting.dyes import are_colours_false, faces_of
from vision.doubting.floor import colours_of, shows_table
from vision.doubting.rim import cubes_cut_off, cubes_on_rim, find_beside_empty, lay_there_when_empty
from vision.doubting.unseen import Scene, scene_of, unseen_odds
from vision.finding.candidates import (
    Candidate,
    adjust_black_cubes,
    find_candidates,
    peaks_inside,
    usual_edge_px,
)
from vision.finding.closer import LOWEST, Places, look_at_places
from vision.finding.closer import warm as warm_closer
from vision.finding.detector import (
    COLOURS,
    MINIMUM_SCORE,
    Detection,
    Floats,
    average_with_mirrored,
    compute_cells,
    compute_cells_mirrored,
    decode,
)
from vision.finding.faint import FAINTEST, faint_places, is_faint
from vision.finding.finer import look_finer
from vision.finding.lifted import Lifted
from vision.finding.stored import Source
from vision.finding.upright import warm as warm_upright
from vision.levels import DARK
from vision.palette import SHOGUN, Palette
from vision.pictures import Mask, Picture
from vision.reading import Doubt, TrayReading
from vision.scene.covered import AlwaysCovered, find_always_covered, is_covered
from vision.scene.covered import warm as warm_cover
from vision.scene.light import Light
from vision.scene.locator import locate
from vision.scene.plane import Points
from vision.scene.rectify import PX_PER_MM, KnownTable, Rectified, outline_px, rectify
from vision.shown import COUNTED_PRESENCE, open_places, seen_cubes

USUAL_CUBE_MM = 8.0
_GROWN_MM = 2.0
"""Margin added to the floor: a leaning cube's centre may lie over the foot of the wall. A larger one would
let in patches of the mat mirrored in a clear wall. Only the uncertainty of the edge comes on top."""
_AT_ONCE = 0.985
"""Certainty that needs no second look: `vision.doubting.unseen` allows for what all networks miss."""
_WARM_PX = (448, 448, 3)
"""Usual shape of a rectified tray."""


@dataclass(frozen=True, slots=True)
class ReasonsToAsk:
    """Reasons to ask, however sure the counts are."""

    around: tuple[Doubt, ...]
    """Doubts about what lies around and over the tray, and about the camera."""
    spoilt: tuple[Doubt, ...]
    """Doubts that spoil the whole picture."""

    @property
    def has_any(self) -> bool:
        """Whether there is any reason to ask."""
        return bool(self.around or self.spoilt)


@dataclass(frozen=True, slots=True)
class Look:
    """Result of one look at the whole floor and one at each place, under one light."""

    flat: Rectified
    inside: Mask
    """(H, W), 1 where a cube's centre may lie."""
    reasons: ReasonsToAsk
    cells: Floats
    """The detector's raw output for the floor."""
    peaks: Sequence[Detection]
    """Where the detector sees cubes, on the floor or not."""
    closer: Places
    """The closer look at each place on the floor."""
    found: Sequence[Candidate]


@dataclass(frozen=True, slots=True)
class Counted:
    """Candidates, and what they alone say about the counts."""

    candidates: Sequence[Candidate]
    odds: Odds
    sure: Mapping[str, float]
    """Probability, per colour, that its likeliest count is right."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a picture shows, before it becomes a reading."""

    flat: Rectified
    candidates: Sequence[Candidate]
    odds: Odds
    sure: Mapping[str, float]
    """Probability, per colour, that its likeliest count is right."""
    reasons: ReasonsToAsk
    scene: Scene
    seen: Mapping[str, float]
    """Like `sure`, but from the candidates alone, ignoring what none of them shows."""
    at_most: AtMost | None = None
    """The ledger's limits, if it was consulted."""


class TrayReader:
    """Reads trays with one palette; keeps no state between pictures."""

    def __init__(
        self,
        palette: Palette | None = None,
        cube_mm: float | None = None,
        inner_mm: tuple[float, float] | None = None,
        known: KnownTable | None = None,
    ) -> None:
        """All from a profile; `cube_mm` and `inner_mm` (of the floor) are estimated if not given."""
        self.palette = palette or SHOGUN
        self.cube_mm = cube_mm
        self.inner_mm = inner_mm
        self.known = known

    def warm(self) -> None:
        """Load whatever the first reading would have to wait for."""
        grey = np.full(_WARM_PX, 128, np.uint8)
        locate(grey)
        for spare_core in (False, True):
            compute_cells(grey, spare_core=spare_core)
        warm_closer()
        warm_upright()
        warm_cover()
        if not self.palette.usual:
            self.palette.shares(grey[0, :1])
            if set(self.palette.colours) < set(COLOURS):  # what it lacks may lie there all the same
                self.palette.completed.shares(grey[0, :1])

    def read(self, picture: Picture, at_most: AtMost | None = None) -> TrayReading:
        """Read the tray in a (H, W, 3) uint8 BGR picture; `at_most` are the ledger's limits, if there is
        one."""
        found = self.find(picture, at_most)
        if found is None:
            return self._reading_without_tray(picture, (Doubt.NO_TRAY, *find_exposure_doubt(picture)))
        return self.reading_of(found)

    def find(self, picture: Picture, at_most: AtMost | None = None) -> Found | None:
        """Find every place that may hold a cube, even if hardly likely; None if there is no tray."""
        flat = rectify(picture, self.inner_mm, self.known)
        if flat is None:
            return None
        first, dark = self._first_look(picture, flat)
        light = (
            estimate_light(flat.stored, first.found, self.palette, flat.light)
            if self._may_relight(flat)
            else None
        )
        seen = first if light is None else self._look_under(light, picture, first)
        first_found = () if light is None else first.found
        reasons = self._revise_reasons(picture, seen)
        if not reasons.has_any:
            counts = self._count(seen.flat, cap_presences(seen.found, first_found), at_most)
            if is_sure(counts.sure, _AT_ONCE):
                at_once = self._allow_for_unseen(seen.flat, counts, reasons, at_most)
                if is_sure(at_once.sure, _AT_ONCE):
                    return at_once
        # Doubt is worth a second look at the floor; if the light was improved, that has already been taken.
        found = cap_presences(self._find_finer(picture, seen, dark, again=light is None), first_found)
        return self._allow_for_unseen(seen.flat, self._count(seen.flat, found, at_most), reasons, at_most)

    def _first_look(self, picture: Picture, flat: Rectified) -> tuple[Look, Lifted | None]:
        """Take the first look, and the lifted picture too if the floor is known to be dark."""
        cells_future = run_alongside(compute_cells, flat.image, spare_core=True)
        inside, dark = inside_tray(flat), Lifted.of(flat)
        reasons = self._reasons_to_ask(picture, flat)
        return self._make_look(flat, inside, reasons, cells_future.result(), dark), dark

    def _look_under(self, light: Light, picture: Picture, first: Look) -> Look:
        """Look again under a better light, at the mirrored picture: two looks say more than one."""
        flat = first.flat.with_light(light)
        cells_future = run_alongside(compute_cells_mirrored, flat.image, spare_core=True)
        reasons = self._reasons_to_ask(picture, flat)
        return self._make_look(
            flat, first.inside, reasons, average_looks(first.cells, cells_future.result()), None
        )

    def _make_look(
        self, flat: Rectified, inside: Mask, reasons: ReasonsToAsk, cells: Floats, dark: Lifted | None
    ) -> Look:
        peaks, places = self._find_places(flat, cells, inside, dark)
        closer = look_at_places(flat.image, places)
        found = self._candidates_at(flat, _raise_scores(closer.judged_peaks(), dark), inside)
        return Look(flat, inside, reasons, cells, peaks, closer, found)

    def _find_finer(
        self, picture: Picture, seen: Look, dark: Lifted | None, *, again: bool
    ) -> list[Candidate]:
        """Examine places cut out of the picture itself; `again`: those found by a second look at the
        floor."""
        flat, places = seen.flat, seen.closer.peaks
        if again:
            _, places = self._find_places(
                flat, average_with_mirrored(flat.image, seen.cells), seen.inside, dark
            )
        finer = look_finer(flat.image, Source.of(picture, flat), places, seen.closer)
        return self._candidates_at(flat, _raise_scores(finer, dark), seen.inside)

    def _reasons_to_ask(self, picture: Picture, flat: Rectified) -> ReasonsToAsk:
        """Reasons to ask that do not depend on what is in the tray."""
        of_picture = find_camera_doubts(picture, flat, lit=self._is_lit(flat))
        return ReasonsToAsk((*of_picture, *self._doubts_of_cover(picture, flat)), find_spoiling_doubts(flat))

    def _revise_reasons(self, picture: Picture, seen: Look) -> ReasonsToAsk:
        """Those reasons revised by the cubes found, plus cubes beside the floor or cut off."""
        around = self._drop_explained_cover(picture, seen)
        return replace(seen.reasons, around=around + self._doubts_beside_floor(picture, seen))

    def _find_places(
        self, flat: Rectified, cells: Floats, inside: Mask, dark: Lifted | None
    ) -> tuple[list[Detection], list[Detection]]:
        """Return the detector's peaks, and the places on the floor where cubes may be."""
        faint = self._may_be_faint(flat)
        all_peaks = decode(cells, FAINTEST if faint else LOWEST)
        peaks = [peak for peak in all_peaks if peak.score >= LOWEST]
        on_floor = peaks_inside(peaks, inside)
        if dark is not None:
            return peaks, dark.add_new_peaks(cells, on_floor)
        return peaks, [*on_floor, *faint_places(all_peaks, on_floor, inside)] if faint else on_floor

    def _may_be_faint(self, flat: Rectified) -> bool:
        """Whether black cubes may hardly show: dark floor, and no picture of the empty tray to compare
        with."""
        return "black" in self.palette.colours and flat.change is None and flat.level < DARK

    def _candidates_at(self, flat: Rectified, peaks: Sequence[Detection], inside: Mask) -> list[Candidate]:
        faint = self._may_be_faint(flat)
        kept = [p for p in peaks if p.score >= MINIMUM_SCORE or (faint and is_faint(p))]
        found = find_candidates(flat.image, self.palette, kept)
        found = without_repeats(found, flat.image, inside, self.palette)
        found = without_gaps(without_cast(found, flat.image, inside, self.palette), flat.image, inside)
        found = without_images(found, flat, self.palette)
        if flat.change is None:
            return found
        found = without_pattern(found, flat.change)
        return without_shadows(found, flat.change, inside, self.palette, flat.light)

    def _doubts_of_cover(self, picture: Picture, flat: Rectified) -> tuple[Doubt, ...]:
        """Ask if something is in the way: it may hide cubes that nobody misses."""
        return (Doubt.HAND,) if is_covered(picture, flat.tray, flat.light, self._usual_cover) else ()

    def _drop_explained_cover(self, picture: Picture, seen: Look) -> tuple[Doubt, ...]:
        """Drop `HAND` if the tray looked covered even when empty, as on a chequered cloth, and the cubes
        explain the rest."""
        flat, around = seen.flat, seen.reasons.around
        cubes_px = [candidate.centre_px for candidate in seen.found if candidate.presence >= COUNTED_PRESENCE]
        if Doubt.HAND not in around or self._usual_cover is None or not cubes_px:
            return around
        cubes_mm = flat.to_mm(np.array(cubes_px))
        if is_covered(picture, flat.tray, flat.light, self._usual_cover, cubes_mm):
            return around
        return tuple(doubt for doubt in around if doubt is not Doubt.HAND)

    @cached_property
    def _usual_cover(self) -> list[AlwaysCovered] | None:
        """What covered the calibrated tray when it was empty, such as the foot of a tower."""
        if self.known is None or self.known.empty is None:
            return None
        return find_always_covered(self.known.empty, self.known.tray, self.known.light)

    def _doubts_beside_floor(self, picture: Picture, seen: Look) -> tuple[Doubt, ...]:
        """Doubts about cubes beyond the floor and cubes cut off by the picture's edge."""
        flat, peaks = seen.flat, seen.peaks
        cut = (Doubt.TRAY_CUT,) if cubes_cut_off(flat, peaks) else ()
        known = self.known
        fitted = flat.guessed or (flat.known and known is not None and known.fitted)
        on_rim = cubes_on_rim(picture, flat, seen.inside, peaks, fitted=fitted)
        if on_rim and known is not None:
            on_rim = [one for one in on_rim if not lay_there_when_empty(flat, one, self._points_beside_empty)]
        if on_rim:
            walls = Walls(flat, seen.found, self.palette)
            on_rim = [one for one in on_rim if not walls.is_image(one.centre_px, one.edge_px, one.colour)]
        return (*cut, Doubt.ON_RIM) if on_rim else cut

    @cached_property
    def _points_beside_empty(self) -> Points:
        """What lay beside the calibrated tray when it was empty, such as a chest that looks like a cube."""
        empty = None if self.known is None else self.known.empty
        flat = None if empty is None else rectify(empty, self.inner_mm, self.known)
        if flat is None:
            return np.empty((0, 2))
        return find_beside_empty(
            flat, inside_tray(flat), decode(compute_cells(flat.image, spare_core=True), LOWEST)
        )

    def _doubts_like_floor(
        self, flat: Rectified, found: Sequence[Candidate], at_most: AtMost | None
    ) -> tuple[Doubt, ...]:
        """Ask if cubes that look like the floor may lie unseen and any can have come out."""
        is_transparent = flat.known and self._shows_table
        hidden = colours_of(flat, self.palette, lit=self._is_lit(flat), through=is_transparent)
        may_hide = any(
            chance_of_one_more(colour, found, self.palette, at_most) > FORGOTTEN for colour in hidden
        )
        return (Doubt.LIKE_FLOOR,) if may_hide else ()

    @cached_property
    def _shows_table(self) -> bool:
        """Whether the calibrated tray is transparent."""
        return self.known is not None and shows_table(self.known)

    def _may_relight(self, flat: Rectified) -> bool:
        """Whether the cubes may reveal a better white: not if calibrated cubes already did, or if only the
        palette knows the colours."""
        knows_white = flat.known and not flat.stale and not self.palette.usual
        return not knows_white and all(colour in COLOURS for colour in self.palette.colours)

    def _is_lit(self, flat: Rectified) -> bool:
        """Whether white is known: a calibration without mat and cubes knows only where the tray lies."""
        knows_white = flat.light.measured or not self.palette.usual
        return flat.mat_seen or (flat.known and not flat.stale and knows_white)

    def _count(self, flat: Rectified, candidates: Sequence[Candidate], at_most: AtMost | None) -> Counted:
        """Adjust the candidates to each other and the ledger; add each colour's odds and confidence."""
        candidates = doubt_black(settle_colours(candidates, flat.image), flat.image, self.palette)
        dark = self._may_be_faint(flat)
        candidates = adjust_black_cubes(candidates, self.palette, dark=dark)
        candidates = compare_black(candidates, flat.image, self.palette) if dark else candidates
        candidates = doubt_lamps(candidates, flat.image, self.palette)
        candidates, odds = count_with_ledger(candidates, self.palette, at_most)
        # Cubes of a colour that was not taught may be any colour: a person has to count them.
        taught = max(0.0, 1 - sum(one.foreign for one in candidates)) ** (1 / len(odds))
        sure = {c: share * taught for c, share in belief(odds).confidence.items()}
        return Counted(candidates, odds, sure)

    def _allow_for_unseen(
        self,
        flat: Rectified,
        counts: Counted,
        reasons: ReasonsToAsk,
        at_most: AtMost | None,
    ) -> Found:
        """Lower the confidence by what no candidate shows, and add the doubts that follow from it."""
        floor_doubts = self._doubts_like_floor(flat, counts.candidates, at_most)
        dye_doubts = self._doubts_of_dyes(flat, counts.candidates)
        reasons = replace(reasons, around=(*reasons.around, *floor_doubts, *dye_doubts))
        scene = scene_of(flat, counts.candidates, self.palette)
        unseen = unseen_odds(counts.candidates, self.palette, scene, at_most)
        sure = {c: share * unseen[c] for c, share in counts.sure.items()}
        return Found(flat, counts.candidates, counts.odds, sure, reasons, scene, counts.sure, at_most)

    def _doubts_of_dyes(self, flat: Rectified, candidates: Sequence[Candidate]) -> tuple[Doubt, ...]:
        """Ask if white is uncertain, the palette is the usual one and the cubes look like no usual dye."""
        if (self._is_lit(flat) and not flat.uncoloured) or not self.palette.usual:
            return ()
        false = are_colours_false(faces_of(flat.image, candidates, self.palette))
        return (Doubt.FALSE_COLOURS,) if false else ()

    def reading_of(self, found: Found) -> TrayReading:
        """Turn what was found into counts, doubts and places to ask about."""
        colours = self.palette.colours
        flat, candidates, sure = found.flat, found.candidates, found.sure
        seen = [one for one in candidates if one.presence >= COUNTED_PRESENCE]
        found_doubts = find_doubts(
            flat, candidates, sure, self.palette, found.at_most, known=(found.reasons.spoilt, found.scene)
        )
        doubts = tuple(dict.fromkeys((*found.reasons.around, *found_doubts)))
        edge_px = usual_edge_px(seen)
        return TrayReading(
            counts={c: sum(colours[one.colour_index] == c for one in seen) for c in colours},
            cubes=seen_cubes(candidates, self.palette, flat),
            confidence=sure,
            certain=not doubts,
            doubts=doubts,
            mat_seen=flat.mat_seen,
            tray_outline_px=outline_px(flat.tray),
            cube_mm=self.cube_mm or (round(edge_px / PX_PER_MM, 1) if edge_px else USUAL_CUBE_MM),
            size_px=flat.size_px,
            odds=found.odds,
            named=colours_certainty(candidates),
            open_places=open_places(candidates, self.palette, flat),
        )

    def _reading_without_tray(self, picture: Picture, doubts: tuple[Doubt, ...]) -> TrayReading:
        return TrayReading(
            counts=dict.fromkeys(self.palette.colours, 0),
            cubes=(),
            confidence=dict.fromkeys(self.palette.colours, 0.0),
            certain=False,
            doubts=doubts,
            mat_seen=False,
            tray_outline_px=(),
            cube_mm=self.cube_mm or USUAL_CUBE_MM,
            size_px=(picture.shape[1], picture.shape[0]),
        )


def inside_tray(flat: Rectified) -> Mask:
    """(H, W) uint8, 1 where a cube's centre may lie."""
    return flat.floor(_GROWN_MM + flat.tray.edge_mm)


def _raise_scores(peaks: list[Detection], dark: Lifted | None) -> list[Detection]:
    return peaks if dark is None else dark.raise_scores(peaks)
