"""Ground truth of a path-traced picture. No Blender in here."""

from calibration.synth.ground import outline_of
from calibration.synth.scene import Scene
from calibration.synth.truth import SeenBox, label
from calibration.traced.seen import visible_shares
from calibration.traced.shapes import FINGER_MM, Profile


def scene_label(scene: Scene, profile: Profile) -> dict[str, object]:
    """Return a scene's label, with heights from the tray's floor and the visible share of each cube."""
    opaque = scene.tray if scene.tray.plastic == "black" else None
    finger = None if scene.finger_mm is None else (scene.finger_mm, FINGER_MM)
    visible = visible_shares(scene.cubes, scene.others, scene.camera, opaque, finger)
    seen = [
        SeenBox(box, outline_of(box, scene.camera), share)
        for box, share in zip(scene.cubes, visible, strict=True)
    ]
    return label(scene, seen, profile.floor_mm)
